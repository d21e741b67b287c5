/** The short notation of attributes: `title:string!`, `slug:uid(title)`. Since shells interpret
 *  parentheses, a colon may stand in their place: `slug:uid:title`. */
export interface AttributeNotation {
  readonly name: string;
  readonly type: string;
  readonly args: readonly string[];
  readonly required: boolean;
  /** As it was written, for messages. */
  readonly written: string;
}

export type ParsedNotation =
  | { readonly ok: true; readonly attribute: AttributeNotation }
  | { readonly ok: false; readonly problem: string };

const notation = /^([A-Za-z]\w*):([A-Za-z]+)(?:\(([^()]*)\)|:([^()!]*))?(!?)$/;
/** `title!:string`, a frequent slip. */
const earlyMark = /^([A-Za-z]\w*)!:(.*)$/;

export function readAttribute(written: string): ParsedNotation {
  const [, name, type, inParentheses, afterColon, mark] = notation.exec(written) ?? [];
  if (name === undefined || type === undefined) return { ok: false, problem: `${written}: ${problemOf(written)}` };
  const parts = (inParentheses ?? afterColon ?? '').split(',').map((arg) => arg.trim());
  const args = parts.length === 1 && parts[0] === '' ? [] : parts;
  if (args.includes('')) return { ok: false, problem: `${written}: there is nothing between two commas` };
  return { ok: true, attribute: { name, type, args, required: mark === '!', written } };
}

function problemOf(written: string): string {
  const [, name, rest] = earlyMark.exec(written) ?? [];
  if (name !== undefined) return `the mark of a required attribute comes last: ${name}:${rest}!`;
  if (!written.includes(':'))
    return `an attribute is written name:type, such as ${/^[A-Za-z]\w*$/.test(written) ? written : 'title'}:string`;
  if (!/^[A-Za-z]\w*:/.test(written)) return 'the name of an attribute has letters, digits and "_", and begins with a letter';
  if ((written.match(/\(/g)?.length ?? 0) !== (written.match(/\)/g)?.length ?? 0)) return 'a parenthesis is missing';
  return 'an attribute is written name:type, name:type(value,value), or with "!" at its end if it is required';
}
