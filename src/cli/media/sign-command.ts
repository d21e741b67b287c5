/** `lectern media sign`. */

import { ApiError } from '../../errors/api-error.ts';
import { StartError } from '../../errors/start-error.ts';
import { parseExpiry } from '../../identity/new-api-token.ts';
import { signedUrl } from '../../media/storage/signed-url.ts';
import { isStorageKey } from '../../media/storage/storage.ts';
import { readFileRequest } from '../../media/variants/variant-parameters.ts';
import { exitCodes } from '../exit-codes.ts';
import { loadProject, type ProjectOptions } from '../project/load-project.ts';

interface MediaSignOptions extends ProjectOptions {
  /** `12h`, `30d`, `2030-12-31`, `never` */
  readonly expires: string;
}

const prefix = '/uploads/';

const usageError = (problem: string) => new StartError([problem], exitCodes.usage);

/** Prints the URL with its signature. `url`: `/uploads/x.jpg?width=333`, or a full URL. */
export async function mediaSign(url: string, options: MediaSignOptions): Promise<number> {
  const { origin, key, query } = readUrl(url);
  const { parameters, end } = explained(() => ({
    parameters: readFileRequest(query).parameters,
    end: parseExpiry(options.expires, Date.now()),
  }));
  refuseUnsigned(query, parameters);
  const { secrets, s3, upload } = loadProject(options).config;
  const { uploadKey } = secrets;
  if (uploadKey === undefined) {
    throw new StartError(['LECTERN_UPLOAD_KEY is not set, so URLs cannot be signed: set it to 32 random bytes (openssl rand -base64 32)']);
  }
  if (end === null && upload.provider === 's3' && s3.private) {
    throw new StartError(['URLs of a private bucket must expire: add --expires 12h, 30d or 2030-12-31']);
  }
  const signed = signedUrl(uploadKey, key, { ...parameters, ...(end === null ? {} : { expires: String(Math.floor(end / 1000)) }) });
  process.stdout.write(`${origin}${signed}\n`);
  return exitCodes.done;
}

/** A URL with an ignored parameter would return another variant than the user meant. */
function refuseUnsigned(query: string, parameters: Readonly<Record<string, string>>): void {
  if ('expires' in parameters) throw usageError('expires cannot be part of the URL: use --expires 12h, 30d or 2030-12-31');
  const unknown = [...new URLSearchParams(query).keys()].find((name) => name !== 'signature' && !(name in parameters));
  if (unknown !== undefined)
    throw usageError(`${unknown} is not a parameter of a variant; these are width, height, fit, format and quality`);
}

function readUrl(text: string): { readonly origin: string; readonly key: string; readonly query: string } {
  const base = 'http://localhost';
  const url = URL.canParse(text, base) ? new URL(text, base) : undefined;
  const key = url?.pathname.startsWith(prefix) === true ? decoded(url.pathname.slice(prefix.length)) : undefined;
  if (url === undefined || key === undefined || !isStorageKey(key)) {
    throw usageError(`${text} is not the URL of a file, such as ${prefix}photo_1234567890.jpg?width=333`);
  }
  return { origin: /^https?:/i.test(text) ? url.origin : '', key, query: url.search.slice(1) };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function explained<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof ApiError ? usageError(error.message) : error;
  }
}
