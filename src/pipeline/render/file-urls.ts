/** Writes URLs of private files, which are stored unsigned and returned signed. */
import type { SignUrl } from '../../media/storage/url-signer.ts';
import type { ValueOutput } from '../../model/attributes/attribute-type.ts';
import { isObject } from '../../text/json.ts';
import type { Shape } from '../compile/types.ts';
import type { WrittenColumn } from './json-output.ts';

type WriteValue = (stored: unknown, output: ValueOutput) => void;

/** Writes a URL, or an image's `formats`. URLs of other storages are written as they are stored. */
export function urlWriter(holds: 'url' | 'urls', plain: WriteValue, sign: SignUrl): WriteValue {
  const signed = holds === 'url' ? signedUrlOf : signedFormats;
  return (stored, output) => {
    const value = typeof stored === 'string' ? signed(stored, sign) : undefined;
    if (value === undefined) plain(stored, output);
    else output.json(JSON.stringify(value));
  };
}

/** The column `isUrlSigned`: whether the entry's URL was signed; false if it shows no URL. */
export function signedColumn({ columns }: Shape, sign: SignUrl | undefined): WrittenColumn {
  const index = columns.find(({ holds }) => holds === 'url')?.index;
  return {
    key: 'isUrlSigned',
    write(row, output) {
      const url = index === undefined ? undefined : row[index];
      output.json(String(typeof url === 'string' && sign?.(url) !== undefined));
    },
  };
}

const signedUrlOf = (url: string, sign: SignUrl): string | undefined => sign(url);

/** Undefined if no URL belongs to this storage, or the text has another form. */
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
