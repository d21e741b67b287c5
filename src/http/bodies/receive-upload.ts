/** Reads a multipart body into files while it arrives. Only texts are in memory, within limits. */
import { join } from 'node:path';
import type { BusboyInstance } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config/config.ts';
import { ApiError } from '../../errors/api-error.ts';
import { isFileName } from '../../media/library/file-name.ts';
import type { IncomingFile } from '../../media/types/media-type.ts';
import { printable } from '../../text/printable.ts';
import { dropRest, liftBodyTime } from './body-time.ts';
import { copyBody } from './copy-body.ts';
import { askForBody } from './expect-continue.ts';
import { storePart } from './store-part.ts';

type Bounds = Pick<Config, 'upload' | 'limits'>;

export interface ReceivedUpload {
  /** The files of parts with the name `files`, in their order. Others are dropped, as in Strapi. */
  readonly files: readonly IncomingFile[];
  /** The texts of the other parts, by name. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
  /** The names of parts whose files were dropped, each once; at most `maxDropped`. */
  readonly dropped: ReadonlySet<string>;
}

const filesName = 'files';
/** Strapi's name for a file without a name. */
const nameless = 'unamed';
/** The maximum number of names of dropped files that an error shows, and of characters of each. */
const maxDropped = 5;
const maxCharacters = 50;
/** A part's headers hold its name and type; more is padding. */
const partHeaders = { headerPairs: 50, headerSize: 16 * 1024 };

/** Stores the files in `folder`, which the caller removes. Throws errors of uploads, and
 *  'body.unsupported-encoding'; all files are closed then, and the rest of the body is dropped. */
export async function receiveUpload({ raw }: FastifyRequest, bounds: Bounds, folder: string): Promise<ReceivedUpload> {
  const { upload, limits } = bounds;
  refuseByHeaders(raw.headers, upload);
  const parser = await createParser(raw.headers, bounds);
  const refused = new AbortController();
  let problem: unknown;
  const refuse: Refuse = (error) => {
    problem ??= error;
    refused.abort();
  };
  const dropped = new Set<string>();
  const stored = storeFiles(parser, { folder, upload, signal: refused.signal, refuse, dropped });
  const fields = collectTexts(parser, limits, refuse);
  parser.on('filesLimit', () => refuse(tooLarge('files', upload.files, 'upload.files')));
  parser.on('fieldsLimit', () => refuse(tooLarge('fields', limits.parameters, 'limits.parameters')));
  parser.on('partsLimit', () => refuse(tooLarge('parts', maxParts(bounds), 'upload.files and limits.parameters')));

  liftBodyTime(raw);
  askForBody(raw);
  await copyBody(raw, parser, upload, refused.signal).catch(refuse);
  const files = await stored();
  if (problem === undefined) return { files, fields, dropped };
  dropRest(raw);
  throw problem;
}

/** The first error counts, and stops everything. */
type Refuse = (error: unknown) => void;

function refuseByHeaders(headers: FastifyRequest['headers'], { requestLimit }: Bounds['upload']): void {
  const encoding = headers['content-encoding'] ?? '';
  // Strapi does not decompress uploads either.
  if (!/^\s*(?:identity)?\s*$/i.test(encoding)) throw ApiError.of('body.unsupported-encoding', { encoding: encoding.slice(0, 100) });
  if (Number(headers['content-length'] ?? 0) > requestLimit) throw tooLarge('bytes', requestLimit, 'upload.requestLimit');
}

interface Storing {
  readonly folder: string;
  readonly upload: Bounds['upload'];
  readonly signal: AbortSignal;
  readonly refuse: Refuse;
  readonly dropped: Set<string>;
}

/** Returns a function that waits for the files that have begun. */
function storeFiles(parser: BusboyInstance, { folder, upload, signal, refuse, dropped }: Storing): () => Promise<readonly IncomingFile[]> {
  const files: IncomingFile[] = [];
  let storing: Promise<void> = Promise.resolve();
  let count = 0;
  parser.on('file', (name, part, sentName = nameless, _encoding, declaredType) => {
    // Browsers write a quote this way, so that it does not end the name.
    const fileName = sentName.replaceAll('%22', '"');
    // A part can fail before it is read. The parser fails as well, and its error is handled.
    part.on('error', () => undefined);
    // Checked before a byte is stored. An empty field of a form has an empty name.
    if (name === filesName && fileName !== '' && !isFileName(fileName)) refuse(ApiError.of('upload.file-name'));
    if (name !== filesName && dropped.size < maxDropped) dropped.add(printable(String(name)).slice(0, maxCharacters));
    if (name !== filesName || signal.aborted) {
      part.resume();
      return;
    }
    const path = join(folder, String(count++));
    // One after the other, so that a thousand small files in one chunk are not open at once.
    storing = storing
      .then(async () => {
        const size = await storePart(part, { path, name: fileName }, upload, signal);
        files.push({ path, name: fileName, declaredType, size });
      })
      .catch(refuse);
  });
  return () => storing.then(() => files);
}

function collectTexts(parser: BusboyInstance, { bodyBytes }: Bounds['limits'], refuse: Refuse): ReadonlyMap<string, readonly string[]> {
  const fields = new Map<string, string[]>();
  let length = 0;
  parser.on('field', (name, value, _isNameCut, isCut) => {
    length += value.length + (name?.length ?? 0);
    if (isCut || length > bodyBytes) return refuse(tooLarge('bytes of text', bodyBytes, 'limits.bodyBytes'));
    if (name === undefined) return;
    const values = fields.get(name) ?? [];
    values.push(value);
    fields.set(name, values);
  });
  return fields;
}

const maxParts = ({ upload, limits }: Bounds) => upload.files + limits.parameters;

async function createParser(headers: FastifyRequest['headers'], bounds: Bounds): Promise<BusboyInstance> {
  const { upload, limits } = bounds;
  // Loaded with the first upload: most servers only read.
  const { Busboy } = await import('@fastify/busboy');
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      // A path in a name is refused and not cut off: `../../up.txt` is not `up.txt`.
      preservePath: true,
      limits: { ...partHeaders, files: upload.files, fields: limits.parameters, parts: maxParts(bounds), fieldSize: limits.bodyBytes },
    });
  } catch {
    // The boundary is missing, or longer than that of any client.
    throw ApiError.of('upload.not-multipart');
  }
}

const tooLarge = (what: string, limit: number, setting: string) => ApiError.of('upload.request-too-large', { what, limit, setting });
