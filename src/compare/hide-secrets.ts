/** Keeps secrets of logged URLs and of responses out of what is printed. */
import { printable } from '../text/printable.ts';

const hidden = '…';
const secretName = /token|secret|password|passwd|jwt|api_?key|signature|credential|session|code$|authorization/i;
/** JSON Web Tokens, and API tokens of Strapi. */
const secretText = /\beyJ[\w-]*\.[\w-]+\.[\w-]*|\b[\da-f]{64,}\b/gi;

/** Hides what looks like a token in a path and query, and values of parameters such as
 *  `access_token`. */
export function withoutSecrets(target: string): string {
  const [path, ...rest] = target.split('?');
  const query = rest.join('?');
  const parameters = query.split('&').map((pair) => {
    const at = pair.indexOf('=');
    return at !== -1 && secretName.test(readable(pair.slice(0, at))) ? `${pair.slice(0, at)}=${hidden}` : pair;
  });
  return (query === '' ? (path ?? '') : `${path}?${parameters.join('&')}`).replaceAll(secretText, hidden);
}

const maxValueLength = 160;

/** A value of a response, for people. */
export function shownValue(path: string, value: string): string {
  const last = path.split('.').at(-1) ?? '';
  if (secretName.test(last) && !last.startsWith('access-control-')) return hidden;
  const text = printable(value.replaceAll(member, hideMember).replaceAll(secretText, hidden));
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text;
}

/** A key with a text as its value, in JSON that may have been cut. */
const member = /"([^"\\]{1,200})":"(?:[^"\\]|\\.)*"?/g;
const hideMember = (match: string, name: string) => (secretName.test(name) ? `"${name}":"${hidden}"` : match);

/** Decodes percent escapes, where they are right. */
export function readable(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
