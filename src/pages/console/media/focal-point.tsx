/** The point of a picture that stays visible when it is cut. */
import { say } from '../words/say.ts';
import { mayUpload } from './api.ts';
import type { FocalPoint, MediaFile } from './media-file.ts';

interface Props {
  readonly file: MediaFile;
  readonly url: string;
  readonly point: FocalPoint | undefined;
  readonly change: (point: FocalPoint) => void;
}

const steps: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const within = (value: number) => Math.round(Math.min(100, Math.max(0, value)));

export function FocalPointPicker({ file, url, point, change }: Props) {
  const { x, y } = point ?? { x: 50, y: 50 };
  const picture = <img src={url} alt={file.alternativeText ?? ''} width={file.width ?? undefined} height={file.height ?? undefined} />;
  if (!mayUpload()) return <div class="media-preview">{picture}</div>;
  const set = (event: PointerEvent & { readonly currentTarget: HTMLElement }) => {
    const box = event.currentTarget.getBoundingClientRect();
    change({ x: within(((event.clientX - box.left) / box.width) * 100), y: within(((event.clientY - box.top) / box.height) * 100) });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const by = event.shiftKey ? 10 : 1;
    change({ x: within(x + step[0] * by), y: within(y + step[1] * by) });
  };
  return (
    <div>
      <div class="media-preview">
        <div class="media-focal" onPointerDown={set} onPointerMove={(event) => event.buttons === 1 && set(event)}>
          {picture}
          <span
            class={point === undefined ? 'media-point is-default' : 'media-point'}
            role="slider"
            tabIndex={0}
            aria-label={say('media.focalPoint')}
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={x}
            aria-valuetext={say('media.focalPointAt', { x, y })}
            style={{ left: `${x}%`, top: `${y}%` }}
            onKeyDown={onKeyDown}
          />
        </div>
      </div>
      <p class="soft media-hint">{say('media.focalPointHelp')}</p>
    </div>
  );
}
