/** Text of schema files as TypeScript source. Names, enumerations and descriptions may contain
 *  anything; none of it may become code, end a comment, or direct the compiler. */

/** The longest line, where it can be broken. Characters. */
const lineWidth = 140;

/** Invisible characters, or those that change a line's direction: source would look different. */
const hidden = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** `it's` → `'it\'s'` */
export function quoted(text: string): string {
  const escaped = text.replaceAll(/[\\']/g, '\\$&').replaceAll(hidden, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  return `'${escaped}'`;
}

const plainName = /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u;

/** A name as the key of an object type: `title`, `'og:title'`. */
export const keyOf = (name: string): string => (plainName.test(name) ? name : quoted(name));

/** `a | b` or, if that is too long, a line for each member, below a line with this `indent`. */
export function union(members: readonly string[], indent: string): string {
  const line = members.join(' | ');
  // What stands before it on the line, such as the attribute's name, is rarely longer.
  return members.length === 1 || line.length <= lineWidth - 40 ? line : members.map((member) => `\n${indent}  | ${member}`).join('');
}

/** A documentation comment with a paragraph, in one line, for each text; nothing without texts. */
export function docComment(paragraphs: readonly string[], indent = ''): string {
  const texts = paragraphs.map(commentText).filter((text) => text !== '');
  const [only, ...more] = texts;
  if (only === undefined) return '';
  if (more.length === 0 && indent.length + only.length + 7 <= lineWidth) return `${indent}/** ${only} */\n`;
  return `${indent}/**\n${texts.map((text) => `${indent} * ${text}\n`).join(`${indent} *\n`)}${indent} */\n`;
}

/** `@` begins a tag, or a directive such as `@ts-expect-error`, which is read here as well. */
const commentText = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(hidden, '')
    .replaceAll('*/', '*\\/')
    .replaceAll(/(?<![\w`])@(?=\w)/g, '\\@')
    .trim();
