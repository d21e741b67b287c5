/** The order of a list: changed by dragging, by buttons and by keys, and announced. */
import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { say } from '../words/say.ts';
import { Icon } from './icon.tsx';

interface Options {
  /** The list whose children are the items. */
  readonly list: RefObject<HTMLElement>;
  readonly move: (from: number, to: number) => void;
  readonly count: () => number;
  readonly nameOf: (index: number) => string;
}

export interface Reorder {
  /** Of an item while one is dragged: where it would land. */
  readonly markOf: (index: number) => string;
  /** For screen readers. */
  readonly announced: string;
  readonly handlers: Handlers;
}

/** The same object each time. */
export interface Handlers {
  readonly move: (from: number, to: number, focus: Mover) => void;
  readonly dragged: (event: PointerEvent & { readonly currentTarget: HTMLElement }, from: number) => void;
}

type Mover = 'grip' | 'up' | 'down';

interface Drag {
  readonly from: number;
  /** The number of items above the place where it would land. */
  readonly gap: number;
}

/** How near the edge of the window a drag scrolls it, and by how much. Pixels. */
const edge = 60;

export function useReorder(options: Options): Reorder {
  const latest = useRef(options);
  latest.current = options;
  const drag = useSignal<Drag | undefined>(undefined);
  const announced = useSignal('');
  const handlers = useMemo((): Handlers => {
    const move = (from: number, to: number, focus: Mover | undefined) => {
      const { list, count, nameOf, move: moveItem } = latest.current;
      if (to < 0 || to >= count() || to === from) return;
      const name = nameOf(from);
      moveItem(from, to);
      announced.value = say('fields.moved', { name, position: to + 1, total: count() });
      // The item is another element's neighbour now, and may have lost the focus by it.
      if (focus !== undefined) setTimeout(() => focusMover(list.current, to, focus));
    };
    return {
      move,
      dragged: (event, from) => {
        if (event.button !== 0) return;
        const { list } = latest.current;
        const grip = event.currentTarget;
        grip.setPointerCapture(event.pointerId);
        const follow = ({ clientY }: PointerEvent) => {
          if (clientY < edge) scrollBy(0, -edge / 4);
          else if (clientY > innerHeight - edge) scrollBy(0, edge / 4);
          const gap = gapAt(list.current, clientY);
          if (drag.value?.gap !== gap) drag.value = { from, gap };
        };
        const end = (isDropped: boolean) => {
          grip.removeEventListener('pointermove', follow);
          grip.removeEventListener('pointerup', drop);
          grip.removeEventListener('pointercancel', cancel);
          removeEventListener('keydown', onKey, true);
          const { current } = { current: drag.value };
          drag.value = undefined;
          if (isDropped && current !== undefined) move(from, current.gap > from ? current.gap - 1 : current.gap, 'grip');
        };
        const drop = () => end(true);
        const cancel = () => end(false);
        const onKey = (pressed: KeyboardEvent) => {
          if (pressed.key !== 'Escape') return;
          pressed.preventDefault();
          pressed.stopPropagation();
          cancel();
        };
        grip.addEventListener('pointermove', follow);
        grip.addEventListener('pointerup', drop);
        grip.addEventListener('pointercancel', cancel);
        addEventListener('keydown', onKey, true);
      },
    };
  }, []);
  const current = drag.value;
  return {
    announced: announced.value,
    handlers,
    markOf: (index) => {
      if (current === undefined) return '';
      if (index === current.from) return 'is-dragged';
      if (index === current.gap) return 'drop-before';
      return index === options.count() - 1 && current.gap > index ? 'drop-after' : '';
    },
  };
}

function gapAt(list: HTMLElement | null, y: number): number {
  const items = [...(list?.children ?? [])];
  const below = items.findIndex((item) => {
    const { top, height } = item.getBoundingClientRect();
    return y < top + height / 2;
  });
  return below === -1 ? items.length : below;
}

function focusMover(list: HTMLElement | null, index: number, mover: Mover): void {
  const item = list?.children[index];
  const find = (name: Mover) => item?.querySelector<HTMLButtonElement>(`[data-mover="${name}"]:not(:disabled)`);
  (find(mover) ?? find('grip'))?.focus();
}

interface Props {
  readonly handlers: Handlers;
  readonly index: number;
  readonly count: number;
  readonly name: string;
}

export function Grip({ handlers, index, count, name }: Props) {
  const onKey = (event: KeyboardEvent) => {
    const to = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: count - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    handlers.move(index, to, 'grip');
  };
  return (
    <button
      type="button"
      class="quiet grip"
      data-mover="grip"
      aria-label={say('fields.reorder', { name })}
      title={say('fields.reorderHint')}
      onKeyDown={onKey}
      onPointerDown={(event) => handlers.dragged(event, index)}
    >
      <Icon name="grip" />
    </button>
  );
}

export function MoveButtons({ handlers, index, count, name }: Props) {
  return (
    <>
      <button
        type="button"
        class="quiet"
        data-mover="up"
        disabled={index === 0}
        aria-label={say('fields.moveUp', { name })}
        title={say('fields.moveUp', { name })}
        onClick={() => handlers.move(index, index - 1, 'up')}
      >
        <Icon name="up" />
      </button>
      <button
        type="button"
        class="quiet"
        data-mover="down"
        disabled={index === count - 1}
        aria-label={say('fields.moveDown', { name })}
        title={say('fields.moveDown', { name })}
        onClick={() => handlers.move(index, index + 1, 'down')}
      >
        <Icon name="down" />
      </button>
    </>
  );
}

/** `moved([a, b, c], 0, 2)` → `[b, c, a]` */
export function moved<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  const rest = items.filter((_, index) => index !== from);
  const item = items[from];
  return item === undefined ? items : [...rest.slice(0, to), item, ...rest.slice(to)];
}
