/** The command line of the benchmark. */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';

const usage = `npm run bench -- [options]

  --seconds N         length of a round (2)
  --rounds N          rounds of each scenario and server, alternating (3)
  --articles N        articles of the example to make (10000)
  --writes N          commit N small writes a second meanwhile (0)
  --only TEXT         only scenarios whose name holds this; may be given several times
  --cpu-profile DIR   write CPU profiles of the server and its threads there

  --database FILE --dir PROJECT
                      a copy of this SQLite file, with the schemas of that project, in place of the example
  --collection NAME   the list to ask for (articles)
  --populate A,B,C,D  its populated paths (category,tags,cover,seo)
  --filter A.B=VALUE  a filter through a relation (category.slug=bread)
  --sort FIELD:ORDER  the sort of the filtered list (publishedAt:desc)
  --against URL       another server of the same content, alternating with this one (a Strapi on a copy of the database)
  --against-pid PID   its process, to know the processor time that it uses
`;

export class UsageError extends Error {}

export function readOptions(args) {
  const { values } = parse(args);
  if (values.help) return { help: usage };
  const given = {
    seconds: wholeNumber(values, 'seconds', 2, 1, 60),
    rounds: wholeNumber(values, 'rounds', 3, 1, 50),
    articles: wholeNumber(values, 'articles', 10_000, 100, 200_000),
    writes: wholeNumber(values, 'writes', 0, 0, 1000),
    only: values.only ?? [''],
    cpuProfile: values['cpu-profile'],
    database: values.database,
    dir: values.dir,
    against: values.against?.replace(/\/$/, ''),
    againstPid: values['against-pid'],
    names: {
      collection: values.collection ?? 'articles',
      populate: (values.populate ?? 'category,tags,cover,seo').split(','),
      filter: readFilter(values.filter ?? 'category.slug=bread'),
      sort: values.sort ?? 'publishedAt:desc',
    },
  };
  if ((given.database === undefined) !== (given.dir === undefined)) throw new UsageError('--database and --dir go together');
  for (const name of ['database', 'dir']) {
    if (given[name] !== undefined && !existsSync(given[name])) throw new UsageError(`--${name}: there is no ${given[name]}`);
  }
  if (given.against !== undefined && given.writes > 0) {
    throw new UsageError('--writes cannot go with --against: the database of the other server is not written to');
  }
  return given;
}

function parse(args) {
  const text = { type: 'string' };
  try {
    return parseArgs({
      args,
      options: {
        help: { type: 'boolean', short: 'h' },
        only: { type: 'string', multiple: true },
        ...Object.fromEntries(
          [
            ...['seconds', 'rounds', 'articles', 'writes', 'cpu-profile'],
            ...['database', 'dir', 'collection', 'populate', 'filter', 'sort', 'against', 'against-pid'],
          ].map((name) => [name, text]),
        ),
      },
    });
  } catch (error) {
    throw new UsageError(`${error.message}\n\n${usage}`);
  }
}

function wholeNumber(values, name, fallback, least, most) {
  if (values[name] === undefined) return fallback;
  const number = Number(values[name]);
  if (!Number.isInteger(number) || number < least || number > most) {
    throw new UsageError(`--${name} must be a whole number from ${least} to ${most}, not ${values[name]}`);
  }
  return number;
}

function readFilter(text) {
  const [path = '', ...value] = text.split('=');
  if (value.length === 0) throw new UsageError(`--filter must look like category.slug=bread, not ${text}`);
  return { path: path.split('.'), value: value.join('=') };
}
