/** Addresses of private files, which are stored plain and answered signed. */
import type { Row } from '../../dialects/dialect.ts';
import type { SignUrl } from '../../media/storage/url-signer.ts';
import { isObject } from '../../text/json.ts';
import type { Shape } from '../compile/types.ts';

type WriteJson = (stored: unknown) => string;

/** Addresses that are not of our storage go out as they are stored. */
export function urlWriter(holds: 'address' | 'addresses', plain: WriteJson, sign: SignUrl): WriteJson {
  const signed = holds === 'address' ? signedAddressOf : signedFormats;
  return (stored) => {
    const value = typeof stored === 'string' ? signed(stored, sign) : undefined;
    return value === undefined ? plain(stored) : JSON.stringify(value);
  };
}

/** `isUrlSigned` of an entry: of the address in it, and false where it shows none. */
export function signedWriter({ columns }: Shape, sign: SignUrl | undefined): (row: Row) => string {
  const index = columns.find(({ holds }) => holds === 'address')?.index;
  return (row) => {
    const url = index === undefined ? undefined : row[index];
    return `"isUrlSigned":${typeof url === 'string' && sign?.(url) !== undefined}`;
  };
}

const signedAddressOf = (url: string, sign: SignUrl): string | undefined => sign(url);

/** Undefined when none of them is ours, or the text is none that the media library writes. */
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
