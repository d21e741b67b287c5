/** Texts in Markdown: what escapes and character references stand for. */

/** Names that people write; others are shown as they are. */
const names: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  shy: '\u00ad',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  bull: '•',
  middot: '·',
  times: '×',
  deg: '°',
  euro: '€',
  pound: '£',
  sect: '§',
  szlig: 'ß',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  eacute: 'é',
  larr: '←',
  rarr: '→',
  colon: ':',
  Tab: '\t',
  NewLine: '\n',
};

/** `&amp;` → `&`, `&#38;` → `&` */
export function decodedReference(reference: string): string {
  const name = reference.slice(1, -1);
  const number = /^#(?:x([\da-f]{1,6})|(\d{1,7}))$/i.exec(name);
  if (number === null) return Object.hasOwn(names, name) ? (names[name] ?? reference) : reference;
  const code = number[1] === undefined ? Number(number[2]) : Number.parseInt(number[1], 16);
  return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? '\ufffd' : String.fromCodePoint(code);
}

/** A URL or a label without escapes and references. */
export const decoded = (text: string): string =>
  text.replaceAll(/\\([!-/:-@[-`{-~])|&#?\w+;/g, (found, escaped: string | undefined) => escaped ?? decodedReference(found));
