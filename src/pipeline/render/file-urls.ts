/** Writes URLs of private files, which are stored unsigned and returned signed. */
import type { Row } from '../../dialects/dialect.ts';
import type { SignUrl } from '../../media/storage/url-signer.ts';
import { isObject } from '../../text/json.ts';
import type { Shape } from '../compile/types.ts';

type WriteJson = (stored: unknown) => string;

/** Returns a writer of a URL, or of an image's `formats`. URLs of other storages are written as they are stored. */
export function urlWriter(holds: 'url' | 'urls', plain: WriteJson, sign: SignUrl): WriteJson {
  const signed = holds === 'url' ? signedUrlOf : signedFormats;
  return (stored) => {
    const value = typeof stored === 'string' ? signed(stored, sign) : undefined;
    return value === undefined ? plain(stored) : JSON.stringify(value);
  };
}

/** Returns a writer of `isUrlSigned`: whether the entry's URL was signed, and false if the entry shows no URL. */
export function signedWriter({ columns }: Shape, sign: SignUrl | undefined): (row: Row) => string {
  const index = columns.find(({ holds }) => holds === 'url')?.index;
  return (row) => {
    const url = index === undefined ? undefined : row[index];
    return `"isUrlSigned":${typeof url === 'string' && sign?.(url) !== undefined}`;
  };
}

const signedUrlOf = (url: string, sign: SignUrl): string | undefined => sign(url);

/** Returns undefined when no URL belongs to this storage, or when the text is not in the form that the media library writes. */
function signedFormats(text: string, sign: SignUrl): unknown {
  const formats = parsed(text);
  if (!isObject(formats)) return undefined;
  let any = false;
  const entries = Object.entries(formats).map(([name, format]) => {
    const url = isObject(format) && typeof format.url === 'string' ? sign(format.url) : undefined;
    if (url === undefined) return [name, format];
    any = true;
    return [name, { ...(isObject(format) ? format : {}), url }];
  });
  return any ? Object.fromEntries(entries) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
