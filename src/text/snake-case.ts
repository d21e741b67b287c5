/** Strapi names columns with lodash's `snakeCase`, so its word rules are part of the storage format and are repeated here:
 *  a wrong word boundary would be another column. Source: the documented behaviour of lodash `words` and `deburr`. */

const upper = 'A-Z\\xc0-\\xd6\\xd8-\\xde';
const lower = 'a-z\\xdf-\\xf6\\xf8-\\xff';
const punctuation = '\\x00-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\xbf\\xd7\\xf7\\u2000-\\u206f\\s';
/** Letters of scripts without a case that these rules know: they continue a word of either case. */
const caseless = `[^\\ud800-\\udfff${punctuation}0-9\\u2700-\\u27bf${lower}${upper}]`;
const anyLower = `(?:[${lower}]|${caseless})`;
const anyUpper = `(?:[${upper}]|${caseless})`;

const word = new RegExp(
  [
    `[${upper}]?[${lower}]+(?=[${punctuation}${upper}]|$)`,
    `${anyUpper}+(?=[${punctuation}]|[${upper}]${anyLower}|$)`,
    `[${upper}]?${anyLower}+`,
    `[${upper}]+`,
    // `address2ND` and `top1st` keep the ordinal in one piece.
    '\\d*(?:1ST|2ND|3RD|(?![123])\\dTH)(?=\\b|[a-z_])',
    '\\d*(?:1st|2nd|3rd|(?![123])\\dth)(?=\\b|[A-Z_])',
    '\\d+',
  ].join('|'),
  'g',
);

/** Latin letters that Unicode does not take apart into a base letter and a mark. */
const undecomposed: Readonly<Record<string, string>> = {
  Æ: 'Ae',
  Ð: 'D',
  Ø: 'O',
  Þ: 'Th',
  ß: 'ss',
  æ: 'ae',
  ð: 'd',
  ø: 'o',
  þ: 'th',
  Đ: 'D',
  đ: 'd',
  Ħ: 'H',
  ħ: 'h',
  ı: 'i',
  Ĳ: 'IJ',
  ĳ: 'ij',
  ĸ: 'k',
  Ŀ: 'L',
  ŀ: 'l',
  Ł: 'L',
  ł: 'l',
  ŉ: "'n",
  Ŋ: 'N',
  ŋ: 'n',
  Œ: 'Oe',
  œ: 'oe',
  Ŧ: 'T',
  ŧ: 't',
  ſ: 's',
};

const withoutAccents = (text: string): string =>
  text
    .replace(/[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017f]/g, (letter) => undecomposed[letter] ?? letter.normalize('NFD'))
    .replace(/[\u0300-\u036f\ufe20-\ufe2f\u20d0-\u20ff]/g, '');

const words = (text: string): readonly string[] =>
  withoutAccents(text)
    .replace(/['\u2019]/g, '')
    .match(word) ?? [];

const joined = (separator: string) => {
  // The same names are asked for many times (every link table repeats the names of its types), and the regular expression is slow.
  const known = new Map<string, string>();
  return (text: string): string => {
    let result = known.get(text);
    if (result === undefined) {
      result = words(text)
        .map((each) => each.toLowerCase())
        .join(separator);
      known.set(text, result);
    }
    return result;
  };
};

/** `opensAt` → `opens_at`, `address2` → `address_2`, `HTMLBody` → `html_body`; empty when nothing of the name is a word. */
export const snakeCase = joined('_');

/** `My API2` → `my-api-2`; Strapi normalises folder names this way. */
export const kebabCase = joined('-');

const kebab = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** The name of a folder or file, as Strapi makes uids of it. */
export const normaliseName = (name: string): string => (kebab.test(name) ? name : kebabCase(name));
