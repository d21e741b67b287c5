/** Cuts a picture: in the browser, so that the server stores what one has seen. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Dialog } from '../shell/dialog.tsx';
import { notify, notifyFailure } from '../shell/notices.tsx';
import { say } from '../words/say.ts';
import { addFile, mayUpload, replaceFile } from './api.ts';
import { type Box, movedBy, rounded, type Size, withRatio } from './crop-box.ts';
import { CropStage } from './crop-stage.tsx';
import { fresh, type MediaFile, nameOf } from './media-file.ts';

/** What a canvas can write. */
const writable: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp']);
export const canCrop = ({ mime = '', url }: MediaFile): boolean => mayUpload() && url !== undefined && writable.has(mime);

const ratios = { free: undefined, '1:1': 1, '4:3': 4 / 3, '3:2': 3 / 2, '16:9': 16 / 9, '3:4': 3 / 4 } as const;
type Ratio = keyof typeof ratios;

interface Props {
  readonly file: MediaFile;
  /** The folder of a file that is made of it. */
  readonly folder: number | null;
  readonly replaced: (file: MediaFile) => void;
  readonly added: () => void;
  readonly close: () => void;
}

export function CropDialog({ file, folder, replaced, added, close }: Props) {
  const image = useRef<HTMLImageElement>(null);
  const size = useSignal<Size | undefined>(undefined);
  const box = useSignal<Box>({ x: 0, y: 0, width: 0, height: 0 });
  const ratio = useSignal<Ratio>('free');
  const problem = useSignal('');
  const isBusy = useSignal(false);
  useEffect(() => {
    const picture = new Image();
    picture.onload = () => {
      const { naturalWidth: width, naturalHeight: height } = picture;
      image.current = picture;
      // A shape may have been chosen before the picture was there.
      box.value = withRatio({ x: 0, y: 0, width, height }, ratios[ratio.value], { width, height });
      size.value = { width, height };
    };
    picture.onerror = () => {
      problem.value = say('media.cropUnreadable');
    };
    picture.src = fresh(file.url ?? '', file);
  }, []);
  const isWhole = size.value !== undefined && box.value.width === size.value.width && box.value.height === size.value.height;
  const save = async (asNew: boolean) => {
    if (size.value === undefined || image.current === null) return;
    isBusy.value = true;
    problem.value = (await store(asNew, await cut(image.current, rounded(box.value, size.value), file.mime ?? 'image/png'))) ?? '';
    isBusy.value = false;
  };
  const store = async (asNew: boolean, bytes: Blob | undefined): Promise<string | undefined> => {
    if (bytes === undefined) return say('media.cropUnreadable');
    const name = `image${file.ext ?? ''}`;
    const { alternativeText, caption } = file;
    const texts = { ...(alternativeText ? { alternativeText } : {}), ...(caption ? { caption } : {}) };
    if (asNew) {
      const { failure } = await addFile(bytes, name, { ...texts, folder, name: say('media.cropName', { name: nameOf(file) }) });
      if (failure !== undefined) return void notifyFailure(failure);
      added();
      notify({ text: say('media.cropAdded') });
    } else {
      const { json, failure } = await replaceFile(file.id, bytes, name, { name: nameOf(file) });
      if (failure !== undefined) return void notifyFailure(failure);
      if (json !== undefined) replaced(json);
      notify({ text: say('media.replaced') });
    }
    close();
    return undefined;
  };
  return (
    <Dialog title={say('media.cropTitle')} close={close} kind="wide">
      <div class="media-crop">
        {size.value !== undefined && image.current !== null && (
          <CropStage url={image.current.src} size={size.value} box={box} ratio={ratios[ratio.value]} />
        )}
        <div class="media-crop-tools">
          <label>
            {say('media.cropShape')}
            <select
              value={ratio.value}
              onChange={(event) => {
                ratio.value = event.currentTarget.value as Ratio;
                if (size.value !== undefined) box.value = withRatio(box.value, ratios[ratio.value], size.value);
              }}
            >
              {(Object.keys(ratios) as Ratio[]).map((each) => (
                <option key={each} value={each}>
                  {each === 'free' ? say('media.cropFree') : each}
                </option>
              ))}
            </select>
          </label>
          {size.value !== undefined && <Numbers box={box} size={size.value} isFree={ratio.value === 'free'} />}
        </div>
        {problem.value !== '' && (
          <p class="problem" role="alert">
            {problem.value}
          </p>
        )}
        <p class="buttons">
          <button
            type="button"
            class="primary"
            disabled={isBusy.value || isWhole || size.value === undefined}
            onClick={() => void save(false)}
          >
            {say('media.cropReplace')}
          </button>
          <button type="button" disabled={isBusy.value || isWhole || size.value === undefined} onClick={() => void save(true)}>
            {say('media.cropAsNew')}
          </button>
          <button type="button" onClick={close}>
            {say('shell.cancel')}
          </button>
        </p>
        <p class="soft media-hint">{say('media.cropHelp')}</p>
      </div>
    </Dialog>
  );
}

interface NumbersProps {
  readonly box: { value: Box };
  readonly size: Size;
  readonly isFree: boolean;
}

/** The same as dragging, in pixels. */
function Numbers({ box, size, isFree }: NumbersProps) {
  const shown = rounded(box.value, size);
  const set = (changes: Partial<Box>) => {
    const next = { ...shown, ...changes };
    const fitting = {
      ...next,
      width: Math.min(Math.max(1, next.width), size.width),
      height: Math.min(Math.max(1, next.height), size.height),
    };
    box.value = movedBy(fitting, 0, 0, size);
  };
  return (
    <>
      {(['x', 'y', 'width', 'height'] as const).map((name) => (
        <label key={name}>
          {say(`media.crop.${name}`)}
          <input
            type="number"
            min={name === 'x' || name === 'y' ? 0 : 1}
            max={name === 'x' || name === 'width' ? size.width : size.height}
            disabled={!isFree && (name === 'width' || name === 'height')}
            value={shown[name]}
            onChange={(event) => {
              const number = event.currentTarget.valueAsNumber;
              if (Number.isFinite(number)) set({ [name]: Math.round(number) });
            }}
          />
        </label>
      ))}
    </>
  );
}

/** Undefined where the browser may not read the picture: it is on a server of others. */
async function cut(image: HTMLImageElement, { x, y, width, height }: Box, mime: string): Promise<Blob | undefined> {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  canvas.getContext('2d')?.drawImage(image, x, y, width, height, 0, 0, width, height);
  try {
    return await new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? undefined), mime, 0.92));
  } catch {
    return undefined;
  }
}
