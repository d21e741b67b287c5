/** Compares the history of works with the writes that are known to be stored. */
import { ask, jsonOf } from './ask.mjs';
import { places } from './records.mjs';

/** Versions that are kept of each place, the most that may be. Only what is older may be missing. */
export const keptVersions = 1000;
const atOnce = 8;

/** Returns what is wrong, as sentences, and the number of versions. Only the first works are looked at: there may be thousands of deleted ones.
 *  @returns {Promise<{problems: string[], count: number}>} */
export async function checkHistory(project, { changes }, base, most = 200) {
  const ofWorks = new Map();
  for (const change of changes) ofWorks.set(change.work, [...(ofWorks.get(change.work) ?? []), change]);
  const isKnown = ([{ id }, all]) => id !== undefined && all.every(({ isStored }) => isStored !== undefined);
  const queue = [...ofWorks].filter(isKnown).slice(0, most);
  const problems = [];
  let count = 0;
  const worker = async () => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      const [work, all] = next;
      const wanted = replacedBy(all);
      const found = await formerVersions(project, work, base);
      count += found.length;
      for (const each of new Set([...wanted, ...found])) {
        const [shall, is] = [wanted, found].map((list) => list.filter((other) => other === each).length);
        if (is !== shall) problems.push(`history of ${work.key} (${work.id}): ${each} is in it ${is} times instead of ${shall}`);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return { problems, count };
}

/** `en.draft 12`: the forms that stored writes have replaced, each once, the last ones of each place. */
function replacedBy(changes) {
  const replaced = new Map(places.map((place) => [place, []]));
  let state = {};
  for (const change of changes.filter(({ isStored }) => isStored)) {
    for (const place of places)
      if (state[place] !== undefined && state[place] !== change.state[place]) replaced.get(place).push(`${place} ${state[place]}`);
    state = change.state;
  }
  return [...replaced.values()].flatMap((all) => all.slice(-keptVersions));
}

async function formerVersions({ headers }, { id }, base) {
  const found = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const path = `/api/works/${id}/history?pagination[pageSize]=100&pagination[page]=${page}`;
    const { data, meta } = jsonOf(await ask(base, { path, headers }), 200);
    pages = meta.pagination.pageCount;
    for (const { version, locale, status } of data) {
      const { data: content } = jsonOf(await ask(base, { path: `/api/works/${id}/history/${version}`, headers }), 200);
      found.push(`${locale}.${status} ${content.number}`);
    }
  }
  return found;
}
