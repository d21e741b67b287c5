/** A file's media type: by its content if possible, otherwise by its name and its sender's type. */
import { open } from 'node:fs/promises';
import { extname } from 'node:path';
import { constants, gunzipSync } from 'node:zlib';
import { ApiError } from '../../errors/api-error.ts';
import { markupType } from './markup-type.ts';
import { beginsLike, hasSignature, matchesType } from './signatures.ts';

/** A received file in a temporary folder of this machine. Nothing about it has been checked yet. */
export interface IncomingFile {
  readonly path: string;
  /** As the sender stated it. */
  readonly name: string;
  /** In lower case, without parameters; undefined if the sender stated none (a part is then
   *  `text/plain`: RFC 7578, section 4.4). */
  readonly declaredType: string | undefined;
  /** Bytes. */
  readonly size: number;
}

export interface TypeRules {
  /** Patterns; an empty list allows all types that are not denied. */
  readonly allowedTypes: readonly string[];
  readonly deniedTypes: readonly string[];
  /** Policy `believeMediaTypes`. */
  readonly believes: boolean;
}

/** The facts that determine a media type. */
export interface TypeEvidence {
  readonly name: string;
  /** The type that the sender stated. */
  readonly declared: string | undefined;
  /** The first `headBytes` of the content. */
  readonly head: Uint8Array;
}

export type TypeVerdict = { readonly mediaType: string } | { readonly refused: ApiError };

/** As many as `file-type` needs. */
export const headBytes = 4100;

/** The media type, or why it is refused: 'upload.type', 'upload.detected-type',
 *  'upload.content'. */
export const mediaTypeOf = async ({ path, name, declaredType }: IncomingFile, rules: TypeRules): Promise<TypeVerdict> =>
  judgeType({ name, declared: declaredType, head: await headOf(path) }, rules);

/** Whether an image process may be of use: true for every image, and for some other files. */
export async function mayBeImage(path: string): Promise<boolean> {
  const head = await headOf(path);
  return beginsLikeTiff(head) || (await detected(head))?.startsWith('image/') === true || markupType(head) === svgType || isPacked(head);
}

/** SVG may be gzipped, and cannot be distinguished from other gzipped files without unpacking. */
const isPacked = (head: Uint8Array) => head[0] === 0x1f && head[1] === 0x8b;

async function headOf(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

export async function judgeType({ name, declared, head }: TypeEvidence, rules: TypeRules): Promise<TypeVerdict> {
  const named = await typeOfName(name);
  // A value that is no media type is ignored: it would be stored in the row and sent by a bucket.
  const stated = declared === undefined || declared === unknownType || !isMediaType.test(declared) ? undefined : declared;
  for (const claim of [stated, named]) if (claim !== undefined && isDenied(claim, rules)) return refusal(claim);
  const found = await detected(head);
  if (rules.believes) return byName({ named, stated, found }, rules);
  return byContent({ name, named, stated, found: found ?? (beginsLikeTiff(head) ? 'image/tiff' : undefined), head }, rules);
}

interface Claims {
  /** The type that the extension indicates. */
  readonly named: string | undefined;
  readonly stated: string | undefined;
  /** The type that the content indicates. */
  readonly found: string | undefined;
}

/** Strapi's rules: the name takes precedence over the content, if the content is allowed too. */
function byName({ named, stated: said, found }: Claims, rules: TypeRules): TypeVerdict {
  if (found === undefined) return checked(named ?? said ?? unknownType, rules);
  if (said === found && said === named) return checked(said, rules);
  if (isDenied(found, rules)) return refusal(found);
  // Only the name says what a zip file or an XML file contains.
  const isContainer =
    named !== undefined && ((found === 'application/zip' && named !== found) || (found === 'application/xml' && named === svgType));
  const namedIsListed = isContainer && rules.allowedTypes.length > 0 && matchesType(named, rules.allowedTypes);
  if (!isAllowed(found, rules) && !namedIsListed) return { refused: ApiError.of('upload.detected-type') };
  if (named === undefined) return checked(found, rules);
  if (said === undefined && found !== named && !(found === 'application/zip' && isAllowed(named, rules))) return checked(found, rules);
  return checked(named, rules);
}

/** Decides by the content if it is recognised. A type with a signature needs that signature. */
function byContent(
  { name, named, stated: said, found, head }: Claims & Pick<TypeEvidence, 'name' | 'head'>,
  rules: TypeRules,
): TypeVerdict {
  // The byte order mark of UTF-16 looks like a kind of MPEG audio that is long out of use.
  const binary = head[0] === 0xff && head[1] === 0xfe ? undefined : found;
  const text = binary === undefined || binary === 'application/xml' ? (markupType(head) ?? binary) : binary;
  // A compressed SVG counts as SVG in every rule, since browsers show it as one.
  const content = text === packedType && (named ?? said) === svgType && markupType(unpacked(head)) === svgType ? svgType : text;
  const claim = named ?? said ?? content ?? unknownType;
  const fits = content === undefined ? !hasSignature(claim) : beginsLike(content, claim);
  if (!fits && hasSignature(claim)) return { refused: ApiError.of('upload.content', { name, type: claim }) };
  if (content !== undefined && isDenied(content, rules)) return refusal(content);
  return checked(fits ? claim : (content ?? claim), rules);
}

const unknownType = 'application/octet-stream';
/** RFC 6838, section 4.2. The column has room for both names. */
const isMediaType = /^[a-z\d][\w!#$&^.+-]{0,126}\/[a-z\d][\w!#$&^.+-]{0,126}$/i;
const svgType = 'image/svg+xml';
const packedType = 'application/gzip';
/** Maximum of unpacked bytes of a gzipped file's head: an SVG is recognised by its start. */
const maxUnpacked = 1_048_576;

/** Undefined when the file is not gzip or decompresses to too many bytes. */
function unpacked(head: Uint8Array): Uint8Array {
  try {
    return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: maxUnpacked }).subarray(0, headBytes);
  } catch {
    return new Uint8Array();
  }
}

const isDenied = (type: string, { deniedTypes }: TypeRules) => matchesType(type, deniedTypes);
const isAllowed = (type: string, { allowedTypes }: TypeRules) => allowedTypes.length === 0 || matchesType(type, allowedTypes);
const refusal = (type: string): TypeVerdict => ({ refused: ApiError.of('upload.type', { type }) });
const checked = (type: string, rules: TypeRules): TypeVerdict =>
  isDenied(type, rules) || !isAllowed(type, rules) ? refusal(type) : { mediaType: type };

async function typeOfName(name: string): Promise<string | undefined> {
  const { default: mimeTypes } = await import('mime-types');
  const extension = extname(name).toLowerCase();
  return extension === '' ? undefined : mimeTypes.lookup(extension) || undefined;
}

async function detected(head: Uint8Array): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type');
  // A truncated file is not recognised.
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  return found?.mime.split(';')[0];
}

/** `file-type` reads the end of most TIFF files, to recognise raw images: a head is not enough. */
const beginsLikeTiff = (head: Uint8Array): boolean => {
  const mark = String.fromCharCode(...head.subarray(0, 4));
  return mark === 'II*\0' || mark === 'MM\0*';
};

const shrinkable: ReadonlySet<string | undefined> = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/tiff']);

/** Whether a file that begins like this may become smaller by re-encoding. */
export const canShrink = async (head: Uint8Array): Promise<boolean> => beginsLikeTiff(head) || shrinkable.has(await detected(head));
