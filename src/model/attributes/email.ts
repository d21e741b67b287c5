/** Decides whether a text is an e-mail address, by the rule of yup 0.32, which Strapi uses: RFC
 *  5322 without comments, with the letters of other scripts. Yup's regular expression takes
 *  exponential time for some texts (`a@a.a.a.a.…!`); this one takes linear time. */

const letters = 'a-z\\u00A0-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFEF';
const others = '\\u00A0-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFEF';

const atoms = new RegExp(`^[${letters}\\d!#$%&'*+/=?^_\`{|}~.-]+$`, 'i');

// Between the quotes: white space (folded at most once in a row), plain characters, and any
// character after a backslash.
const fold = '(?:(?:[ \\t]*\\r\\n)?[ \\t]+)?';
const plain = `[\\x01-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f\\x21\\x23-\\x5b\\x5d-\\x7e${others}]`;
const escaped = `\\\\[\\x01-\\x09\\x0b-\\x7f${others}]`;
const quoted = new RegExp(`^"(?:${fold}(?:${plain}|${escaped}))*${fold}"$`);

// Labels in yup's rule may contain dots, so all but the last count as one: the domain needs a
// letter or digit, a dot and a letter somewhere.
const domain = new RegExp(`^[${letters}\\d._~-]+$`, 'i');
const domainStart = new RegExp(`^[${letters}\\d]`, 'i');
const domainDot = new RegExp(`[${letters}\\d]\\.[${letters}]`, 'i');
const domainEnd = new RegExp(`[${letters}]$`, 'i');

export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  return at > 0 && isLocalPart(text.slice(0, at)) && isDomain(text.slice(at + 1));
}

const isLocalPart = (text: string): boolean =>
  atoms.test(text) ? !text.startsWith('.') && !text.endsWith('.') && !text.includes('..') : quoted.test(text);

const isDomain = (text: string): boolean =>
  domain.test(text) && domainStart.test(text) && domainDot.test(text) && domainEnd.test(text.slice(-1));
