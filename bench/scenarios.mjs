/** The six requests that are measured. `handWritten`: bench/hand-written.mjs can respond to them too, on the example's own database. */

const list = 'list of 25';
const populated = 'list, 4 populated paths';

export const handWritten = [list, populated];

/** The scenario of a late page needs this many pages of 25 entries. */
const pages = 300;
const pageSize = 25;

/**
 * @param {{collection: string, populate: string[], filter: {path: string[], value: string}, sort: string}} names
 * @param {(path: string) => Promise<{data: {documentId: string}[], meta: {pagination: {total: number}}}>} ask
 */
export async function makeScenarios({ collection, populate, filter, sort }, ask) {
  const base = `/api/${encodeURIComponent(collection)}`;
  const { total } = (await ask(base)).meta.pagination;
  const last = Math.min(pages, Math.floor(total / pageSize));
  if (last < 2) throw new Error(`${base} has ${total} entries: too few to page through`);
  const [middle] = (await ask(`${base}?${query({ 'pagination[start]': Math.floor(total / 2), 'pagination[limit]': 1 })}`)).data;
  const paths = Object.fromEntries(populate.map((path, index) => [`populate[${index}]`, path]));
  const scenarios = [
    { name: list, path: base },
    { name: populated, path: `${base}?${query(paths)}` },
    { name: 'list, populate=*', path: `${base}?populate=*` },
    { name: 'one document, populate=*', path: `${base}/${middle.documentId}?populate=*` },
    {
      name: 'filter by relation, sorted',
      path: `${base}?${query({ [`filters${filter.path.map((name) => `[${name}]`).join('')}`]: filter.value, sort })}`,
    },
    { name: `page ${last}`, path: `${base}?${query({ 'pagination[page]': last })}` },
  ];
  for (const { name, path } of scenarios) {
    const { data } = await ask(path);
    if (Array.isArray(data) && data.length === 0) throw new Error(`${name}: ${decodeURIComponent(path)} finds nothing`);
  }
  return scenarios;
}

/** Brackets are encoded, because some clients do so. */
const query = (parameters) =>
  Object.entries(parameters)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
