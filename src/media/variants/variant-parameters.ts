/** Reads the parameters of URLs below `/uploads`: which variant, and whether the URL allows it. */
import type { UploadConfig } from '../../config/config.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { ImageFormat, Transformation } from '../images/images.ts';
import { isSigned } from '../storage/signed-url.ts';
import type { StorageKey } from '../storage/storage.ts';

const imageFormats: ReadonlySet<string> = new Set<ImageFormat>(['webp', 'avif', 'jpeg', 'png']);

const expected = {
  width: 'a whole number from 1 to 10000',
  height: 'a whole number from 1 to 10000',
  fit: 'inside or cover',
  format: 'webp, avif, jpeg or png',
  quality: 'a whole number from 1 to 100',
  expires: 'Unix seconds',
  signature: 'a signature in base64url',
} as const;

type Name = keyof typeof expected;
const names = Object.keys(expected) as readonly Name[];

type Parameters = Partial<Readonly<Record<Name, string>>>;

export interface FileRequest {
  /** Undefined: the file itself is requested. */
  readonly transformation: Transformation | undefined;
  /** The signed parameters, as they were sent. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly signature: string | undefined;
  /** Unix seconds. */
  readonly expires: number | undefined;
}

/** Reads a query string. Ignores unknown parameters, as in `?v=3`. Throws 'variant.parameter'. */
export function readFileRequest(query: string): FileRequest {
  const { signature, ...parameters } = readParameters(query);
  const { width, height, fit, format, quality, expires } = parameters;
  const isVariant = [width, height, fit, format, quality].some((value) => value !== undefined);
  return {
    transformation: isVariant
      ? {
          width: integer('width', width, 10_000),
          height: integer('height', height, 10_000),
          fit: readFit(parameters),
          format: format === undefined ? undefined : readFormat(format),
          quality: integer('quality', quality, 100),
        }
      : undefined,
    parameters,
    signature,
    expires: integer('expires', expires, Number.MAX_SAFE_INTEGER),
  };
}

function readParameters(query: string): Parameters {
  if (query === '') return {};
  const parameters = new URLSearchParams(query);
  const found: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const [value, ...more] = parameters.getAll(name);
    if (value === undefined) continue;
    if (more.length > 0) throw wrong(name, 'one value');
    found[name] = value;
  }
  return found;
}

function integer(name: Name, text: string | undefined, max: number): number | undefined {
  if (text === undefined) return undefined;
  // One spelling for each number, so that there is one variant for it.
  const value = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= max) return value;
  throw wrong(name);
}

function readFit({ fit, width, height }: Parameters): Transformation['fit'] {
  if (fit === undefined || fit === 'inside') return 'inside';
  if (fit !== 'cover') throw wrong('fit');
  if (width === undefined || height === undefined) throw wrong('fit', 'width and height beside cover');
  return fit;
}

function readFormat(format: string): ImageFormat {
  if (isImageFormat(format)) return format;
  throw wrong('format');
}

const isImageFormat = (text: string): text is ImageFormat => imageFormats.has(text);

const wrong = (name: Name, what: string = expected[name]) => ApiError.of('variant.parameter', { name, expected: what });

/** Whether the URL is signed. Throws 'variant.signature' for a wrong or expired signature, even
 *  where none is needed. */
export function checkSignature(
  key: StorageKey,
  { parameters, signature, expires }: FileRequest,
  uploadKey: string | undefined,
  now: number,
): boolean {
  if (signature === undefined) return false;
  const isRight = uploadKey !== undefined && isSigned(uploadKey, key, parameters, signature);
  if (!isRight || (expires !== undefined && expires * 1000 <= now)) throw ApiError.of('variant.signature');
  return true;
}

/** Throws 'variant.not-allowed' if the variant needs a signed URL: each takes time and space. */
export function checkAllowed(
  { width, height, format, quality }: Transformation,
  { variantSizes, variantFormats, variantQualities }: UploadConfig,
): void {
  const check = <T>(name: Name, value: T | undefined, allowed: readonly T[]) => {
    if (value === undefined || allowed.includes(value)) return;
    throw ApiError.of('variant.not-allowed', { name, allowed: allowed.length === 0 ? 'none' : allowed.join(', ') });
  };
  check('width', width, variantSizes);
  check('height', height, variantSizes);
  check('format', format, variantFormats);
  check('quality', quality, variantQualities);
}
