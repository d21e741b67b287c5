/** The rows of the table: what is requested in each. */
import { capital, randomNumbers, words } from './content.mjs';
import { mixedTraffic } from './mix.mjs';

/** The scenario of a late page needs this many pages of 25 entries. */
const pages = 300;
const pageSize = 25;

/** Requests with another value each: so many that a round does not come to an end of them soon. */
const values = 10_000;

/**
 * Each scenario has the paths that are requested in turn, and of each kind of them a sample.
 * @param {import('./contents.mjs').Names} names
 * @param {{articles: number, documents: string[], writes: number}} made the number of articles, their documentIds, the writes a second beside mixed traffic
 * @param {(path: string) => Promise<{data: {documentId: string}[], meta: {pagination: {total: number}}}>} ask
 * @returns {Promise<{name: string, samples: string[], paths: string[], writes?: number}[]>}
 */
export async function makeScenarios(names, ask, { articles, documents, writes }) {
  const { populate, filter, sort } = names;
  const base = pathOf(names.collection);
  const { total } = (await ask(base)).meta.pagination;
  const last = Math.min(pages, Math.floor(total / pageSize));
  if (last < 2) throw new Error(`${base} has ${total} entries: too few to page through`);
  const [middle] = (await ask(url(base, { 'pagination[start]': Math.floor(total / 2), 'pagination[limit]': 1 }))).data;
  const related = { [`filters${filter.path.map((name) => `[${name}]`).join('')}`]: filter.value };
  const scenarios = [
    ['list of 25', base],
    ['list, 4 populated paths', url(base, paths(populate))],
    ['list, populate=*', `${base}?populate=*`],
    ['one document, populate=*', `${base}/${middle.documentId}?populate=*`],
    ['filter by relation, sorted', url(base, { ...related, sort })],
    [`page ${last}`, url(base, { 'pagination[page]': last })],
    ...otherValues(names, base, articles),
  ].map(([name, requested]) => ({ name, samples: [requested].flat().slice(0, 1), paths: [requested].flat() }));
  if (names.mix !== undefined) {
    const mixed = mixedTraffic(names, { articles, documents });
    scenarios.unshift({ name: 'mixed traffic', ...mixed }, { name: `mixed traffic, ${writes} writes/s`, ...mixed, writes });
  }
  for (const { name, samples } of scenarios) {
    for (const path of samples) {
      const { data } = await ask(path);
      // Some searches of mixed traffic, and its late pages, find nothing.
      if (samples.length === 1 && Array.isArray(data) && data.length === 0)
        throw new Error(`${name}: ${decodeURIComponent(path)} finds nothing`);
    }
  }
  return scenarios;
}

/** The rows with another value in each request, where the content has attributes for them. */
function otherValues({ slug, search, small, populate, sort }, base, articles) {
  const many = (count, make) => Array.from({ length: count }, (_, number) => make(number));
  const random = randomNumbers(11);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const rows = [];
  if (slug !== undefined) {
    const requests = many(Math.min(values, articles), (number) => {
      // Neighbours lie side by side in the database, and would be found in its cache.
      const value = slug.value((number * 7919) % articles);
      return url(base, { [`filters[${slug.attribute}][$eq]`]: value, ...paths(populate.slice(0, 2)) });
    });
    rows.push(['slug, another each time, 2 populated paths', requests]);
  }
  if (search !== undefined) {
    const requests = many(values, () =>
      url(base, {
        [`filters[${search.text}][$contains]`]: `${pick([capital(pick(words)), ''])} ${pick(words)} number`.trimStart(),
        [`filters[${search.number}][$gt]`]: (random() * 0.5 * search.below).toFixed(3),
        sort,
        ...paths(populate.slice(0, 1)),
      }),
    );
    rows.push(['$contains and $gt, others each time, sorted, 1 populated path', requests]);
  }
  if (small !== undefined) {
    const requests = many(values, (number) =>
      url(pathOf(small.collection), { [`filters[${small.attribute}][$ne]`]: `value ${number}`, ...paths([small.populate]) }),
    );
    rows.push(['a type of ten rows, another value each time, 1 populated path', requests]);
  }
  return rows;
}

/** A search through all entries, dearer with each condition, with another text each time. */
export function slowQueries({ collection, search }, conditions) {
  return Array.from({ length: 200 }, (_, number) =>
    url(
      pathOf(collection),
      Object.fromEntries(
        Array.from({ length: conditions }, (_, index) => [
          `filters[$or][${index}][${search.long}][$containsi]`,
          `nothing ${number} ${index}`,
        ]),
      ),
    ),
  );
}

const pathOf = (collection) => `/api/${encodeURIComponent(collection)}`;
const paths = (populate) => Object.fromEntries(populate.map((path, index) => [`populate[${index}]`, path]));

/** Brackets are encoded, because some clients do so. */
const url = (base, parameters) =>
  `${base}?${Object.entries(parameters)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')}`;
