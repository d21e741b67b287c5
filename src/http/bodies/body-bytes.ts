/** Decodes the bytes of a body to text. */
import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { ApiError } from '../../errors/api-error.ts';

type Inflate = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const gzip: Inflate = promisify(gunzip);

/** The encodings that Strapi's body parser, koa-body, supports. */
const encodings: ReadonlyMap<string, Inflate> = new Map([
  ['gzip', gzip],
  ['x-gzip', gzip],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

/** Undoes `Content-Encoding`. Beyond `limit` it stops with 413, before the memory is full. */
export async function inflateBody(sent: Buffer, encoding: string | undefined, limit: number): Promise<Buffer> {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') return sent;
  const undo = encodings.get(name);
  if (undo === undefined) throw ApiError.of('body.unsupported-encoding', { encoding: name.slice(0, 100) });
  try {
    return await undo(sent, { maxOutputLength: limit });
  } catch (error) {
    if (error instanceof RangeError) throw ApiError.of('body.too-large');
    throw ApiError.of('body.invalid-encoding', { encoding: name });
  }
}

/** A plain decoder would replace invalid bytes by U+FFFD, and the replacement would be stored. */
export function decodeText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw ApiError.of('body.invalid-utf8');
  const text = bytes.toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}
