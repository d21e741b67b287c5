/** Which columns a list has, and in which order. */
import type { Signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { DescribedType } from '../server/me.ts';
import { Dialog } from '../shell/dialog.tsx';
import { say } from '../words/say.ts';
import { type Column, chosenColumns, columnsOf, usualColumns } from './columns.ts';
import { labelOf } from './condition-text.ts';
import { keepColumns } from './kept.ts';

interface Props {
  readonly type: DescribedType;
  /** Undefined: the usual ones. */
  readonly chosen: Signal<readonly string[] | undefined>;
  readonly close: () => void;
}

export function ColumnsDialog({ type, chosen, close }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const columns = chosenColumns(type, chosen.value ?? usualColumns(type));
  const names = columns.map(({ name }) => name);
  const change = (next: readonly string[] | undefined) => {
    chosen.value = next;
    keepColumns(type.uid, next);
  };
  const move = (name: string, by: -1 | 1) => {
    const from = names.indexOf(name);
    const next = names.filter((each) => each !== name);
    next.splice(from + by, 0, name);
    change(next);
    // The buttons move with their row; one at the end is disabled, and the other one takes over.
    requestAnimationFrame(() => {
      const buttons = [...(list.current?.children[from + by]?.querySelectorAll<HTMLButtonElement>('button') ?? [])];
      const [up, down] = buttons;
      const wanted = by < 0 ? up : down;
      (wanted?.disabled === true ? buttons.find(({ disabled }) => !disabled) : wanted)?.focus();
    });
  };
  const others = columnsOf(type).filter(({ name }) => !names.includes(name));
  return (
    <Dialog title={say('lists.columns')} close={close}>
      <p class="soft">{say('lists.columnsHint')}</p>
      <ul class="list-arrange" ref={list}>
        {columns.map((column, index) => (
          <li key={column.name}>
            <Box column={column} isChosen change={() => change(names.filter((each) => each !== column.name))} />
            <button
              type="button"
              class="quiet"
              disabled={index === 0}
              aria-label={say('lists.up', { name: labelOf(column.attribute) })}
              onClick={() => move(column.name, -1)}
            >
              ↑
            </button>
            <button
              type="button"
              class="quiet"
              disabled={index === columns.length - 1}
              aria-label={say('lists.down', { name: labelOf(column.attribute) })}
              onClick={() => move(column.name, 1)}
            >
              ↓
            </button>
          </li>
        ))}
        {others.map((column) => (
          <li key={column.name}>
            <Box column={column} isChosen={false} change={() => change([...names, column.name])} />
          </li>
        ))}
      </ul>
      <p class="buttons">
        <button type="button" class="primary" onClick={close}>
          {say('lists.done')}
        </button>
        <button type="button" disabled={chosen.value === undefined} onClick={() => change(undefined)}>
          {say('lists.columnsReset')}
        </button>
      </p>
    </Dialog>
  );
}

const Box = ({ column, isChosen, change }: { readonly column: Column; readonly isChosen: boolean; readonly change: () => void }) => (
  <label class="check">
    <input type="checkbox" checked={isChosen} onChange={change} />
    {labelOf(column.attribute)}
  </label>
);
