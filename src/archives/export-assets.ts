/** Adds the files of the media library to an archive. */
import type { Storage, StoredFile } from '../media/storage/storage.ts';
import { isObject, objectAt, stringAt } from '../text/json.ts';

export interface Asset {
  readonly key: string;
  readonly metadata: object;
  readonly file: StoredFile;
}

/** The files of a row: the original and its variants. `missing` gets the URLs of absent ones. */
export async function* assetsOf(row: unknown, storage: Storage, missing: (url: string) => void): AsyncGenerator<Asset> {
  if (!isObject(row)) return;
  yield* assetAt(row, row, storage, missing);
  const formats = objectAt(row, 'formats');
  for (const [type, format] of Object.entries(formats)) {
    if (!isObject(format)) continue;
    // Strapi finds the row of a variant by these.
    yield* assetAt(format, { ...format, type, id: row.id, mainHash: row.hash }, storage, missing);
  }
}

async function* assetAt(
  described: Readonly<Record<string, unknown>>,
  metadata: object,
  storage: Storage,
  missing: (url: string) => void,
): AsyncGenerator<Asset> {
  const url = stringAt(described, 'url');
  if (url === undefined) return;
  const key = storage.keyOf(url);
  const file = key === undefined ? undefined : await storage.open(key);
  if (key === undefined || file === undefined) missing(url);
  else yield { key, metadata, file };
}
