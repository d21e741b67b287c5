/** The command line of `npm run bench`. */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { contents } from './contents.mjs';

const usage = `npm run bench -- [options]

  --engine NAME       sqlite or postgres (sqlite)
  --postgres URL      a PostgreSQL server on which databases may be made and dropped (postgres://postgres@127.0.0.1:5432/postgres)
  --database NAME     own: the example, in a database that Lectern made; strapi: the content of the recordings, in a database that Strapi made (own)
  --articles N        articles to make (10000)
  --indexes           run \`lectern indexes apply\` before the start, when each request of the benchmark has been sent once
  --cache on|off      the response cache (on)
  --consistency C     how soon cached responses show a commit of others: exact, or milliseconds (the default of the setting)
  --writes N          writes a second through the server, in the second row of mixed traffic (5)

  --against URL       another server of the same content, in turns with this one: see --save
  --against-name NAME its name in the tables (other)
  --against-pid PID   its process, to know the processor time and memory that it uses
  --save TARGET       only write the database to this SQLite file, or into this empty PostgreSQL database (a URL), with --indexes if they are given

  --all               everything: with and without indexes and cache, with 100000 articles
  --seconds N         length of a round (2)
  --rounds N          rounds of each scenario and server, in turns (3)
  --only TEXT         only rows whose name holds this, such as 'page 300', 'slow query' or 'start'; may be given several times
  --json FILE         write all figures there
  --cpu-profile DIR   write CPU profiles of the server and its threads there

  --database FILE --dir PROJECT
                      a copy of this SQLite file, with the schemas of that project
  --collection NAME   the list to request from it (articles)
  --populate A,B,C,D  its populated paths (category,tags,cover,seo)
  --filter A.B=VALUE  a filter through a relation (category.slug=bread)
  --sort FIELD:ORDER  the sort of the filtered list (publishedAt:desc)
`;

const texts = [
  ...['engine', 'postgres', 'database', 'articles', 'cache', 'consistency', 'writes'],
  ...['against', 'against-name', 'against-pid', 'save'],
  ...['seconds', 'rounds', 'json', 'cpu-profile', 'dir', 'collection', 'populate', 'filter', 'sort'],
];
/** They describe another database than those that the benchmark makes. */
const ofOtherDatabases = ['dir', 'collection', 'populate', 'filter', 'sort'];

/** Its message alone is printed: the stack would say nothing about the command line. */
export class UsageError extends Error {}

export function readOptions(args) {
  const values = parse(args);
  if (values.help) return { help: usage };
  const given = {
    engine: oneOf(values, 'engine', ['sqlite', 'postgres']),
    postgres: values.postgres ?? 'postgres://postgres@127.0.0.1:5432/postgres',
    articles: wholeNumber(values, 'articles', { fallback: 10_000, least: 100, most: 200_000 }),
    ...readDatabase(values),
    indexes: values.indexes ?? false,
    cache: oneOf(values, 'cache', ['on', 'off']),
    consistency: readConsistency(values),
    writes: wholeNumber(values, 'writes', { fallback: 5, least: 1, most: 1000 }),
    against: values.against?.replace(/\/$/, ''),
    againstName: values['against-name'] ?? 'other',
    againstPid: values['against-pid'],
    save: values.save,
    all: values.all ?? false,
    seconds: wholeNumber(values, 'seconds', { fallback: 2, least: 1, most: 60 }),
    rounds: wholeNumber(values, 'rounds', { fallback: 3, least: 1, most: 50 }),
    only: values.only ?? [''],
    json: values.json,
    cpuProfile: values['cpu-profile'],
  };
  if (given.content === undefined && values.writes !== undefined) {
    throw new UsageError('--writes goes with a database that the benchmark makes: own or strapi');
  }
  if (given.all && given.content === undefined) throw new UsageError('--all needs a database that the benchmark makes: own or strapi');
  if (given.all && ['indexes', 'cache', 'consistency'].some((name) => values[name] !== undefined)) {
    throw new UsageError('--all chooses --indexes, --cache and --consistency itself');
  }
  return given;
}

function parse(args) {
  const text = { type: 'string' };
  const flag = { type: 'boolean' };
  try {
    return parseArgs({
      args,
      options: {
        help: { ...flag, short: 'h' },
        indexes: flag,
        all: flag,
        only: { ...text, multiple: true },
        ...Object.fromEntries(texts.map((name) => [name, text])),
      },
    }).values;
  } catch (error) {
    throw new UsageError(`${error.message}\n\n${usage}`);
  }
}

/** @returns the name of a content that the benchmark makes, or a database file with its schemas; and what the requests name there */
function readDatabase(values) {
  const { database = 'own', dir } = values;
  const content = contents[database];
  if (content !== undefined) {
    const unfit = ofOtherDatabases.find((name) => values[name] !== undefined);
    if (unfit !== undefined) throw new UsageError(`--${unfit} goes with --database FILE`);
    return { content: database, names: content.names };
  }
  if (dir === undefined) throw new UsageError(`--database must be ${Object.keys(contents).join(', ')}, or a file with --dir`);
  for (const [name, path] of Object.entries({ database, dir })) {
    if (!existsSync(path)) throw new UsageError(`--${name}: there is no ${path}`);
  }
  const names = {
    collection: values.collection ?? 'articles',
    populate: (values.populate ?? 'category,tags,cover,seo').split(','),
    filter: readFilter(values.filter ?? 'category.slug=bread'),
    sort: values.sort ?? 'publishedAt:desc',
  };
  return { database, dir, names };
}

/** One of these texts; the first one if none is given. */
function oneOf(values, name, texts) {
  const text = values[name] ?? texts[0];
  if (!texts.includes(text)) throw new UsageError(`--${name} must be ${texts.join(' or ')}, not ${text}`);
  return text;
}

function readConsistency({ consistency }) {
  if (consistency === undefined || consistency === 'exact' || /^\d{1,6}$/.test(consistency)) return consistency;
  throw new UsageError(`--consistency must be exact or a number of milliseconds, not ${consistency}`);
}

function wholeNumber(values, name, { fallback, least, most }) {
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
