/** `lectern media sign`. */

import { ApiError } from '../../errors/api-error.ts';
import { StartError } from '../../errors/start-error.ts';
import { parseExpiry } from '../../identity/new-api-token.ts';
import { signedUrl } from '../../media/storage/signed-url.ts';
import { isStorageKey } from '../../media/storage/storage.ts';
import { readFileRequest } from '../../media/variants/variant-parameters.ts';
import { loadProject, type ProjectOptions } from '../project/load-project.ts';

export interface MediaSignOptions extends ProjectOptions {
  /** `/uploads/x.jpg?width=333`, or a whole URL. */
  readonly address: string;
  /** `12h`, `30d`, `2030-12-31`, `never` */
  readonly expires: string;
}

const prefix = '/uploads/';

/** Prints the address with its signature. */
export async function mediaSign(options: MediaSignOptions): Promise<number> {
  const { secrets, s3, upload } = loadProject(options).config;
  const { uploadKey } = secrets;
  if (uploadKey === undefined) {
    throw new StartError([
      'LECTERN_UPLOAD_KEY is not set, which addresses are signed with: put 32 random bytes there (openssl rand -base64 32)',
    ]);
  }
  const { origin, key, query } = readAddress(options.address);
  const { parameters, end } = explained(() => ({
    parameters: readFileRequest(query).parameters,
    end: parseExpiry(options.expires, Date.now()),
  }));
  refuseUnsigned(query, parameters);
  if (end === null && upload.provider === 's3' && s3.private) {
    throw new StartError(['Addresses of a private bucket are good with an end alone: say --expires 12h, 30d or 2030-12-31']);
  }
  const signed = signedUrl(uploadKey, key, { ...parameters, ...(end === null ? {} : { expires: String(Math.floor(end / 1000)) }) });
  process.stdout.write(`${origin}${signed}\n`);
  return 0;
}

/** An address that means something else than what was asked for would be good for as long as its signature. */
function refuseUnsigned(query: string, parameters: Readonly<Record<string, string>>): void {
  if ('expires' in parameters) throw new StartError(['expires is not taken from the address: say --expires 12h, 30d or 2030-12-31']);
  const unknown = [...new URLSearchParams(query).keys()].find((name) => name !== 'signature' && !(name in parameters));
  if (unknown !== undefined) throw new StartError([`${unknown} is no parameter of a variant: width, height, fit, format or quality`]);
}

function readAddress(address: string): { readonly origin: string; readonly key: string; readonly query: string } {
  const base = 'http://localhost';
  const url = URL.canParse(address, base) ? new URL(address, base) : undefined;
  const key = url?.pathname.startsWith(prefix) === true ? decoded(url.pathname.slice(prefix.length)) : undefined;
  if (url === undefined || key === undefined || !isStorageKey(key)) {
    throw new StartError([`${address} is no address of a file, such as ${prefix}photo_1234567890.jpg?width=333`]);
  }
  return { origin: /^https?:/i.test(address) ? url.origin : '', key, query: url.search.slice(1) };
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
    throw error instanceof ApiError ? new StartError([error.message]) : error;
  }
}
