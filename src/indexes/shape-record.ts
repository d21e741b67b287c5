/** Records the shapes of reads: counts them in memory, and adds them to a file from time to time.
 *  Never contains a query's values. */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isObject } from '../text/json.ts';
import { keyOfShape, parseShape, type RecordedShape } from './recorded-shape.ts';

export interface CountedShape {
  readonly shape: RecordedShape;
  /** How often a plan was made for the shape. */
  readonly times: number;
}

/** Maximum in the file and in memory, without the rarest ones: callers can send any number. */
const maxShapes = 500;
const flushEvery = 300_000;

export class ShapeRecord {
  readonly #file: string;
  readonly #failed: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  #shapes = new Map<string, CountedShape>();

  constructor(file: string, failed: (error: unknown) => void) {
    this.#file = file;
    this.#failed = failed;
    this.#timer = setInterval(() => void this.#flush(), flushEvery);
    this.#timer.unref();
  }

  note(shapes: readonly RecordedShape[]): void {
    for (const shape of shapes) {
      const key = keyOfShape(shape);
      const known = this.#shapes.get(key);
      // A shape beyond the limit is counted once the others have been written.
      if (known !== undefined || this.#shapes.size < maxShapes) this.#shapes.set(key, { shape, times: (known?.times ?? 0) + 1 });
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#flush();
  }

  async #flush(): Promise<void> {
    if (this.#shapes.size === 0) return;
    const added = this.#shapes;
    this.#shapes = new Map();
    try {
      await addToFile(this.#file, added);
    } catch (error) {
      this.#failed(error);
    }
  }
}

/** The recorded shapes, the most frequent first. */
export async function readShapes(file: string): Promise<readonly CountedShape[]> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return [];
  try {
    const json: unknown = JSON.parse(text);
    const items = isObject(json) && Array.isArray(json.shapes) ? json.shapes : [];
    return items.flatMap((item: unknown) => {
      const shape = parseShape(item);
      return shape === undefined || !isObject(item) ? [] : [{ shape, times: Number(item.times) || 1 }];
    });
  } catch {
    // A file that cannot be read is written anew.
    return [];
  }
}

/** Counts may be lost if several processes do this at once, but the file is always complete. */
async function addToFile(file: string, added: ReadonlyMap<string, CountedShape>): Promise<void> {
  const all = new Map(added);
  for (const { shape, times } of await readShapes(file)) {
    const key = keyOfShape(shape);
    all.set(key, { shape, times: times + (all.get(key)?.times ?? 0) });
  }
  const shapes = [...all.values()].sort((a, b) => b.times - a.times).slice(0, maxShapes);
  await mkdir(dirname(file), { recursive: true });
  const temporary = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    await writeFile(temporary, `${JSON.stringify({ shapes: shapes.map(({ shape, times }) => ({ ...shape, times })) }, null, 1)}\n`);
    await rename(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
}
