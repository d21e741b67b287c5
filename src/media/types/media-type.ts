/** What a file is: told by its content where that is possible, by its name and its sender where not. */
import { open } from 'node:fs/promises';
import { extname } from 'node:path';
import { constants, gunzipSync } from 'node:zlib';
import { ApiError } from '../../errors/api-error.ts';
import type { IncomingFile } from '../library/incoming-file.ts';
import { markupType } from './markup-type.ts';
import { beginsLike, hasSignature, matchesType } from './signatures.ts';

export interface TypeRules {
  /** Patterns; empty allows all that is not denied. */
  readonly allowedTypes: readonly string[];
  readonly deniedTypes: readonly string[];
  /** Policy `believeMediaTypes`. */
  readonly believes: boolean;
}

/** What is known of a file. */
export interface TypeEvidence {
  readonly name: string;
  /** What the sender said. */
  readonly declared: string | undefined;
  /** The first `headBytes` of the content. */
  readonly head: Uint8Array;
}

export type TypeVerdict = { readonly mediaType: string } | { readonly refused: ApiError };

/** As many as the library for types asks for. */
export const headBytes = 4100;

/** The media type of a file on the disk, or why it is refused: 'upload.type', 'upload.detected-type', 'upload.content'. */
export const mediaTypeOf = async ({ path, name, declaredType }: IncomingFile, rules: TypeRules): Promise<TypeVerdict> =>
  judgeType({ name, declared: declaredType, head: await headOf(path) }, rules);

/** Whether it is worth asking the image library, which starts a process: every image is one of these, and some that are none. */
export async function mayBeImage(path: string): Promise<boolean> {
  const head = await headOf(path);
  return beginsLikeTiff(head) || (await detected(head))?.startsWith('image/') === true || markupType(head) === svgType || isPacked(head);
}

/** SVG is text that may be packed, and then nothing tells it from anything else that is. */
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
  // What is no media type says nothing: it would go into the row, and into the answers of a bucket.
  const said = declared === undefined || declared === unknownType || !isMediaType.test(declared) ? undefined : declared;
  for (const claim of [said, named]) if (claim !== undefined && isDenied(claim, rules)) return refusal(claim);
  const found = await detected(head);
  if (rules.believes) return believing({ named, said, found }, rules);
  return recognising({ name, named, said, found: found ?? (beginsLikeTiff(head) ? 'image/tiff' : undefined), head }, rules);
}

interface Claims {
  /** By the extension. */
  readonly named: string | undefined;
  readonly said: string | undefined;
  /** By the content. */
  readonly found: string | undefined;
}

/** As Strapi decides: the name counts for more than the content, as long as the content is allowed too. */
function believing({ named, said, found }: Claims, rules: TypeRules): TypeVerdict {
  if (found === undefined) return held(named ?? said ?? unknownType, rules);
  if (said === found && said === named) return held(said, rules);
  if (isDenied(found, rules)) return refusal(found);
  // What is in a zip file, or in XML, the name alone can tell.
  const isContainer =
    named !== undefined && ((found === 'application/zip' && named !== found) || (found === 'application/xml' && named === svgType));
  const namedIsListed = isContainer && rules.allowedTypes.length > 0 && matchesType(named, rules.allowedTypes);
  if (!isAllowed(found, rules) && !namedIsListed) return { refused: ApiError.of('upload.detected-type') };
  if (named === undefined) return held(found, rules);
  if (said === undefined && found !== named && !(found === 'application/zip' && isAllowed(named, rules))) return held(found, rules);
  return held(named, rules);
}

/** By the content, where it has anything to say. A type whose files can be recognised is not believed of one that is not recognised. */
function recognising({ name, named, said, found, head }: Claims & Pick<TypeEvidence, 'name' | 'head'>, rules: TypeRules): TypeVerdict {
  // The mark of UTF-16 is also how a kind of MPEG audio would begin that nobody has used for decades.
  const binary = head[0] === 0xff && head[1] === 0xfe ? undefined : found;
  const text = binary === undefined || binary === 'application/xml' ? (markupType(head) ?? binary) : binary;
  // A compressed SVG counts as SVG in every rule, since browsers show it as one.
  const content = text === packedType && (named ?? said) === svgType && markupType(unpacked(head)) === svgType ? svgType : text;
  const claim = named ?? said ?? content ?? unknownType;
  const fits = content === undefined ? !hasSignature(claim) : beginsLike(content, claim);
  if (!fits && hasSignature(claim)) return { refused: ApiError.of('upload.content', { name, type: claim }) };
  if (content !== undefined && isDenied(content, rules)) return refusal(content);
  return held(fits ? claim : (content ?? claim), rules);
}

const unknownType = 'application/octet-stream';
/** RFC 6838, section 4.2. Both names together fit into the column. */
const isMediaType = /^[a-z\d][\w!#$&^.+-]{0,126}\/[a-z\d][\w!#$&^.+-]{0,126}$/i;
const svgType = 'image/svg+xml';
const packedType = 'application/gzip';
/** Bytes that the head of a packed file may become: what tells an SVG stands at its beginning. */
const mostUnpacked = 1_048_576;

/** Undefined when the file is not gzip or decompresses to too many bytes. */
function unpacked(head: Uint8Array): Uint8Array {
  try {
    return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: mostUnpacked }).subarray(0, headBytes);
  } catch {
    return new Uint8Array();
  }
}

const isDenied = (type: string, { deniedTypes }: TypeRules) => matchesType(type, deniedTypes);
const isAllowed = (type: string, { allowedTypes }: TypeRules) => allowedTypes.length === 0 || matchesType(type, allowedTypes);
const refusal = (type: string): TypeVerdict => ({ refused: ApiError.of('upload.type', { type }) });
const held = (type: string, rules: TypeRules): TypeVerdict =>
  isDenied(type, rules) || !isAllowed(type, rules) ? refusal(type) : { mediaType: type };

async function typeOfName(name: string): Promise<string | undefined> {
  const { default: mimeTypes } = await import('mime-types');
  const extension = extname(name).toLowerCase();
  return extension === '' ? undefined : mimeTypes.lookup(extension) || undefined;
}

async function detected(head: Uint8Array): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type');
  // A file that ends where its beginning promises more is one that is not recognised.
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  return found?.mime.split(';')[0];
}

/** The library looks at what is at the end of most TIFF files, to tell the raw images of cameras from others, and finds nothing in a head alone. */
const beginsLikeTiff = (head: Uint8Array): boolean => {
  const mark = String.fromCharCode(...head.subarray(0, 4));
  return mark === 'II*\0' || mark === 'MM\0*';
};

const shrinkable: ReadonlySet<string | undefined> = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/tiff']);

/** Whether a file that begins like this may become smaller by encoding it again. */
export const canShrink = async (head: Uint8Array): Promise<boolean> => beginsLikeTiff(head) || shrinkable.has(await detected(head));
