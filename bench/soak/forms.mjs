/** A form of a work is what one write stores. All of its values contain the number n of the write, so a mix of two forms is noticed. */

/** How many people, topics and files works refer to. */
export const people = 8;
export const topics = 12;
export const covers = 4;

const origin = (key, n) => ({ place: `${key} ${n}`, number: n });
const line = (key, n, index) => ({ label: `${key} ${n} ${index}`, number: n });
const head = (key, n) => ({ label: `${key} ${n}`, number: n, origin: origin(key, n) });

/** `link` makes the value that refers to a person, a topic or a file, from its kind and index. */
function formOf(key, n, link) {
  return {
    title: `${key} ${n}`,
    number: n,
    body: `${key} ${n} `.repeat(40),
    author: link('people', n % people),
    topics: [0, 1, 2].map((offset) => link('topics', (n + offset) % topics)),
    cover: link('covers', n % covers),
    head: head(key, n),
    lines: Array.from({ length: (n % 3) + 1 }, (_, index) => line(key, n, index)),
    zone: Array.from({ length: (n % 2) + 1 }, (_, index) =>
      (index + n) % 2 === 0 ? { __component: 'part.line', ...line(key, n, index) } : { __component: 'part.head', ...head(key, n) },
    ),
  };
}

/** The body of a write. @param {{people: string[], topics: string[], covers: number[]}} ids */
export const bodyOf = (key, n, ids) => ({ data: formOf(key, n, (kind, index) => ids[kind][index]) });

/** Query parameters for everything that belongs to a work. */
export const populateAll = [
  'populate[author][fields]=name',
  'populate[topics][fields]=name',
  'populate[cover][fields]=name',
  'populate[head][populate]=origin',
  'populate[lines]=true',
  'populate[zone][on][part.line]=true',
  'populate[zone][on][part.head][populate]=origin',
].join('&');
/** Query parameters for lists, with less of each work. */
export const populateSome = 'fields=title,number,body&populate[author][fields]=name&populate[topics][fields]=name';

const nameOf = { people: 'person', topics: 'topic', covers: 'cover' };
const expected = (key, n) =>
  formOf(key, n, (kind, index) => ({ name: kind === 'covers' ? `cover-${index}.txt` : `${nameOf[kind]} ${index}` }));

/** Shortens a correct body to its length, so that reports stay short. */
const own = ({ title, number, body, author, topics: linked }) => [
  title,
  number,
  body === `${title} `.repeat(40) ? body.length : body,
  author?.name,
  linked?.map(({ name }) => name),
];
const part = (each) =>
  each === null || each === undefined
    ? each
    : [each.__component, each.label, each.number, ...(each.origin === undefined ? [] : [each.origin?.place, each.origin?.number])];
const rest = ({ cover, head: first, lines, zone }) => [cover?.name, part(first), lines?.map(part), zone?.map(part)];

/** Reads the key and n of a work in a response; `problem` says which values do not belong to this form. */
export function readForm(entry, isWhole) {
  const [key = '', number] = String(entry.title).split(' ');
  const n = Number(number);
  const wanted = expected(key, n);
  const parts = isWhole ? (each) => [...own(each), ...rest(each)] : own;
  const [is, shall] = [JSON.stringify(parts(entry)), JSON.stringify(parts(wanted))];
  return { key, n, ...(is === shall ? {} : { problem: `half-written: ${is.slice(0, 1500)} instead of ${shall.slice(0, 1500)}` }) };
}
