/** The project of a soak or a storm: drafts, locales, relations, components and media, in an empty database. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lecternPrints, startLectern } from '../processes.mjs';
import { ask, jsonOf } from './ask.mjs';
import { covers, people, topics } from './forms.mjs';
import { fileForm } from './images.mjs';

const localized = { pluginOptions: { i18n: { localized: true } } };
const relation = (kind, name) => ({ type: 'relation', relation: kind, target: `api::${name}.${name}`, ...localized });
const component = (name, repeatable) => ({ type: 'component', component: `part.${name}`, repeatable, ...localized });

const works = {
  title: { type: 'string', ...localized },
  number: { type: 'integer', ...localized },
  body: { type: 'text', ...localized },
  author: relation('manyToOne', 'person'),
  topics: relation('manyToMany', 'topic'),
  cover: { type: 'media', ...localized },
  head: component('head', false),
  lines: component('line', true),
  zone: { type: 'dynamiczone', components: ['part.line', 'part.head'], ...localized },
};
const parts = {
  origin: { place: { type: 'string' }, number: { type: 'integer' } },
  head: { label: { type: 'string' }, number: { type: 'integer' }, origin: { type: 'component', component: 'part.origin' } },
  line: { label: { type: 'string' }, number: { type: 'integer' } },
};
/** The setting `search`, where works are searched. */
export const searchOfWorks = { 'api::work.work': { title: 4, body: 1, lines: 1 } };

const names = { name: { type: 'string' } };

function writeSchemas(dir) {
  const type = (name, attributes, more) =>
    write(join(dir, `src/api/${name}/content-types/${name}/schema.json`), {
      ...{ kind: 'collectionType', collectionName: `${name}s`, info: { singularName: name, pluralName: `${name}s`, displayName: name } },
      ...{ options: { draftAndPublish: false }, attributes, ...more },
    });
  type('work', works, { options: { draftAndPublish: true }, pluginOptions: { i18n: { localized: true } } });
  type('notice', { title: { type: 'string' } }, { options: { draftAndPublish: true } });
  type('person', names);
  type('topic', names);
  for (const [name, attributes] of Object.entries(parts))
    write(join(dir, `src/components/part/${name}.json`), {
      ...{ collectionName: `components_part_${name}s`, info: { displayName: name }, attributes },
    });
}

function write(file, value) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value));
}

/** After SIGUSR2, collects garbage and prints the bytes of the heap that are left. */
const probe = `
  import { isMainThread } from 'node:worker_threads';
  import { setFlagsFromString } from 'node:v8';
  import { runInNewContext } from 'node:vm';
  if (isMainThread) process.on('SIGUSR2', () => {
    setFlagsFromString('--expose-gc');
    runInNewContext('gc')();
    process.stderr.write('heap: ' + process.memoryUsage().heapUsed + '\\n');
  });
`;

/** Exit codes of commands: nothing to do, or something found. */
const exitCodes = { done: 0, changesFound: 3 };
const users = 20;
const password = 'Soak-and-storm-1';

/** Makes the project in a folder and starts its server, which may be ended and started again.
 *  @param {object} databaseEnv names the database
 *  @param {number} workers processes that serve
 *  @param {object} [config] its `lectern.config.json`; with `search`, the indexes are built */
export async function makeProject(dir, databaseEnv, workers, config) {
  writeSchemas(dir);
  if (config !== undefined) write(join(dir, 'lectern.config.json'), config);
  const env = {
    JWT_SECRET: randomBytes(32).toString('hex'),
    API_TOKEN_SALT: randomBytes(16).toString('hex'),
    LECTERN_PROFILE: 'specification',
    LECTERN_POLICIES_POPULATE_WITH_PAGINATION: 'true',
    LECTERN_AUTH_ATTEMPTS: '100000',
    LECTERN_PUBLIC_DIR: join(dir, 'public'),
    LECTERN_LOG_LEVEL: 'error',
    LECTERN_WORKERS: String(workers),
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(probe)}`,
    ...databaseEnv,
  };
  const start = () => startLectern({ dir, database: env.DATABASE_FILENAME }, undefined, env);
  const command = (...args) => lecternPrints([...args, '--dir', dir], env, [exitCodes.done, exitCodes.changesFound]);
  // The first start makes the tables.
  const server = await start();
  const [token] = await Promise.all([
    command('token', 'create', '--name', 'soak', '--type', 'full-access'),
    command('locale', 'add', 'de'),
    command('role', 'allow', 'public', 'plugin::users-permissions.auth', 'callback'),
  ]);
  const headers = { Authorization: `Bearer ${token}` };
  if (config?.search !== undefined) await command('search', 'build');
  return { dir, env, headers, start, command, server, ids: await fill(server.base, headers), users, password };
}

/** Makes the documents and files that works refer to, which are never changed. */
async function fill(base, headers) {
  const make = async (path, body) => jsonOf(await ask(base, { method: 'POST', path, headers, body }), 201);
  const ids = { people: [], topics: [], covers: [], users };
  for (let index = 0; index < people; index++)
    ids.people.push((await make('/api/persons', { data: { name: `person ${index}` } })).data.documentId);
  for (let index = 0; index < topics; index++)
    ids.topics.push((await make('/api/topics', { data: { name: `topic ${index}` } })).data.documentId);
  for (let index = 0; index < covers; index++) {
    const { body, headers: type } = fileForm(`cover-${index}.txt`, Buffer.from(`cover ${index}`));
    const [file] = jsonOf(await ask(base, { method: 'POST', path: '/api/upload', headers: { ...headers, ...type }, body }), 201);
    ids.covers.push(file.id);
  }
  const [role] = jsonOf(await ask(base, { path: '/api/users-permissions/roles', headers }), 200).roles.filter(
    ({ type }) => type === 'authenticated',
  );
  for (let index = 0; index < users; index++) {
    const user = { username: `user${index}`, email: `user${index}@example.org`, password, confirmed: true, role: role.id };
    jsonOf(await ask(base, { method: 'POST', path: '/api/users', headers, body: user }), 201);
  }
  return ids;
}
