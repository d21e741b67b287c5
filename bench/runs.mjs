/** The runs of one command: a single one, or all that the tables of docs/performance.md need. */

/** The rows that `--all` does not repeat in each run. */
const onlyRequests = { starts: false, slowQuery: false };

/** @returns {{title: string}[]} the options of each run */
export function runsOf(options) {
  const { engine, all, only } = options;
  const wanted = (name) => only.some((part) => name.includes(part));
  const given = { ...options, starts: wanted('start'), slowQuery: wanted('slow query') };
  if (!all) return [titled(given)];
  const advised = { ...given, indexes: true };
  const later = { ...advised, ...onlyRequests, against: undefined };
  return [
    advised,
    { ...later, cache: 'off' },
    { ...later, indexes: false, cache: 'off' },
    // SQLite says for next to nothing whether it has changed.
    ...(engine === 'postgres' ? [{ ...later, consistency: 'exact' }] : []),
    { ...later, articles: 100_000 },
  ].map(titled);
}

const titled = (options) => ({ ...options, title: title(options) });

function title({ content, database, articles, indexes, cache, consistency }) {
  return [
    ...(content === undefined ? [database] : [`${articles.toLocaleString('en')} articles`]),
    ...(indexes ? ['advised indexes'] : []),
    `cache ${cache}${consistency === undefined ? '' : ` (${consistency})`}`,
  ].join(', ');
}
