/** The picture, with the part of it that is kept. */
import { useRef } from 'preact/hooks';
import { say } from '../words/say.ts';
import { type Box, type Corner, movedBy, rounded, type Size, withCornerAt } from './crop-box.ts';

interface Props {
  readonly url: string;
  readonly size: Size;
  readonly box: { value: Box };
  readonly ratio: number | undefined;
}

interface Drag {
  readonly corner: Corner | undefined;
  readonly start: Box;
  readonly x: number;
  readonly y: number;
}

const corners: readonly Corner[] = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
];
const steps: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function CropStage({ url, size, box, ratio }: Props) {
  const stage = useRef<HTMLDivElement>(null);
  const drag = useRef<Drag>();
  const { x, y, width, height } = box.value;
  /** Where the pointer is, in pixels of the picture. */
  const at = (event: PointerEvent) => {
    const shown = stage.current?.getBoundingClientRect();
    if (shown === undefined) return { x: 0, y: 0 };
    return { x: ((event.clientX - shown.left) / shown.width) * size.width, y: ((event.clientY - shown.top) / shown.height) * size.height };
  };
  const begin = (event: PointerEvent) => {
    if (event.button !== 0 || !(event.target instanceof HTMLElement)) return;
    const corner = corners[Number(event.target.dataset.corner ?? Number.NaN)];
    drag.current = { corner, start: box.value, ...at(event) };
    stage.current?.setPointerCapture(event.pointerId);
  };
  const follow = (event: PointerEvent) => {
    const begun = drag.current;
    if (begun === undefined) return;
    const to = at(event);
    box.value =
      begun.corner === undefined
        ? movedBy(begun.start, to.x - begun.x, to.y - begun.y, size)
        : withCornerAt(begun.start, begun.corner, to, size, ratio);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const by = Math.max(1, Math.round(size.width / 100));
    const [dx, dy] = [step[0] * by, step[1] * by];
    box.value = event.shiftKey
      ? withCornerAt(box.value, [1, 1], { x: x + width + dx, y: y + height + dy }, size, ratio)
      : movedBy(box.value, dx, dy, size);
  };
  const percent = (value: number, of: number) => `${(value / of) * 100}%`;
  const shown = rounded(box.value, size);
  return (
    <div
      ref={stage}
      class="media-stage"
      style={{ aspectRatio: `${size.width} / ${size.height}`, '--ratio': String(size.width / size.height) }}
      onPointerDown={begin}
      onPointerMove={follow}
      onPointerUp={() => {
        drag.current = undefined;
      }}
      onPointerCancel={() => {
        drag.current = undefined;
      }}
    >
      <img src={url} alt="" draggable={false} />
      <button
        type="button"
        class="media-box"
        aria-label={say('media.cropBox', { x: shown.x, y: shown.y, width: shown.width, height: shown.height })}
        style={{
          left: percent(x, size.width),
          top: percent(y, size.height),
          width: percent(width, size.width),
          height: percent(height, size.height),
        }}
        onKeyDown={onKeyDown}
      >
        {corners.map((corner, index) => (
          <span key={corner.join()} class="media-corner" data-corner={index} />
        ))}
      </button>
    </div>
  );
}
