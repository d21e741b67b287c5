/** What a file is: told by its content where that is possible, by its name and its sender where not. */
import { open } from 'node:fs/promises';
import { extname } from 'node:path';
import { ApiError } from '../errors/api-error.ts';
import type { IncomingFile } from './incoming-file.ts';
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
export async function mediaTypeOf({ path, name, declaredType }: IncomingFile, rules: TypeRules): Promise<TypeVerdict> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return await judgeType({ name, declared: declaredType, head: buffer.subarray(0, bytesRead) }, rules);
  } finally {
    await file.close();
  }
}

export async function judgeType({ name, declared, head }: TypeEvidence, rules: TypeRules): Promise<TypeVerdict> {
  const named = await typeOfName(name);
  const said = declared === undefined || declared === unknownType ? undefined : declared;
  for (const claim of [said, named]) if (claim !== undefined && isDenied(claim, rules)) return refusal(claim);
  const found = await detected(head);
  return rules.believes ? believing({ named, said, found }, rules) : recognising({ name, named, said, found, head }, rules);
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
  if (!isAllowed(found, rules) && !namedIsListed) return { refused: ApiError.of('upload.detected-type', undefined) };
  if (named === undefined) return held(found, rules);
  if (said === undefined && found !== named && !(found === 'application/zip' && isAllowed(named, rules))) return held(found, rules);
  return held(named, rules);
}

/** By the content, where it has anything to say. A type whose files can be recognised is not believed of one that is not recognised. */
function recognising({ name, named, said, found, head }: Claims & Pick<TypeEvidence, 'name' | 'head'>, rules: TypeRules): TypeVerdict {
  // The mark of UTF-16 is also how a kind of MPEG audio would begin that nobody has used for decades.
  const binary = head[0] === 0xff && head[1] === 0xfe ? undefined : found;
  const content = binary === undefined || binary === 'application/xml' ? (markupType(head) ?? binary) : binary;
  const claim = named ?? said ?? content ?? unknownType;
  const fits = content === undefined ? !hasSignature(claim) : beginsLike(content, claim);
  if (!fits && hasSignature(claim)) return { refused: ApiError.of('upload.content', { name, type: claim }) };
  if (content !== undefined && isDenied(content, rules)) return refusal(content);
  return held(fits ? claim : (content ?? claim), rules);
}

const unknownType = 'application/octet-stream';
const svgType = 'image/svg+xml';

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

const shrinkable: ReadonlySet<string | undefined> = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/tiff']);

/** Whether a file that begins like this may become smaller by encoding it again. */
export const canShrink = async (head: Uint8Array): Promise<boolean> => shrinkable.has(await detected(head));
