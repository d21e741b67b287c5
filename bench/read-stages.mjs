/** The stages of a read without a server, to time its statements: loaded through source.mjs, in one bundle. */
import { loadConfig } from '../src/config/load-config.ts';
import { openDatabase } from '../src/dialects/open-database.ts';
import { loadModel } from '../src/model/load/load-model.ts';
import { authoriseRead } from '../src/pipeline/authorise/authorise-read.ts';
import { compileRead } from '../src/pipeline/compile/compile-read.ts';
import { executeRead } from '../src/pipeline/execute/execute-read.ts';
import { ListCache } from '../src/pipeline/execute/list-cache.ts';
import { ReadBudget } from '../src/pipeline/execute/read-budget.ts';
import { parseRead } from '../src/pipeline/parse/parse-read.ts';
import { planRead } from '../src/pipeline/plan/plan-read.ts';
import { UnlistedComponents } from '../src/pipeline/unlisted-components.ts';
import { fullRights } from '../src/rights/rights.ts';

/** Opens the database of a project, with every right and without caches.
 *  @param {string} dir
 *  @param {Record<string, string>} environment */
export async function openReads(dir, environment) {
  const loaded = loadConfig({ dir, environment: { LECTERN_PROFILE: 'strapi', ...environment }, overrides: {} });
  if (!loaded.ok) throw new Error(loaded.errors.join('\n'));
  const { config } = loaded;
  const project = loadModel(dir, { customFields: {}, asStrapi: true });
  if (!project.ok) throw new Error(JSON.stringify(project.errors));
  const { model } = project;
  const database = await openDatabase(config.database, {
    create: false,
    statementTime: 600_000,
    databaseOrder: config.policies.databaseOrder,
  });
  const locales = await readLocales(database);
  const unlisted = new UnlistedComponents(model);

  /** @param {string} path below the host, such as `/api/articles?sort=title` */
  function compile(path) {
    const { type, target, key, query } = route(model, path);
    const call = {
      type,
      target,
      query,
      actor: { kind: 'public', rights: fullRights },
      restriction: undefined,
      envelope: type.routed ? 'flat' : 'bare',
    };
    const permitted = authoriseRead(parseRead(call, { model, config, locales, unlisted }), {
      rights: fullRights,
      policies: config.policies,
      filterOf: () => undefined,
    });
    const plan = planRead(permitted, config.policies);
    const compiled = compileRead(plan, {
      dialect: database.dialect,
      model,
      status: permitted.status,
      withIsUrlSigned: false,
      rowLimit: config.limits.rows,
    });
    return { compiled, bindings: { key, values: [], pagination: plan.pagination } };
  }

  return {
    database,
    /** Runs a read. Returns its statements, each with its values and its processor time in this process. */
    run(path) {
      const { compiled, bindings } = compile(path);
      return database.read(async (connection) => {
        const statements = [];
        const timed = async (text, values, work) => {
          const start = process.cpuUsage();
          const result = await work();
          const { user, system } = process.cpuUsage(start);
          statements.push({ text, values, milliseconds: (user + system) / 1000 });
          return result;
        };
        await executeRead(compiled, bindings, {
          connection: {
            dialect: connection.dialect,
            query: (text, values) => timed(text, values, () => connection.query(text, values)),
            each: (text, values, each) => timed(text, values, () => connection.each(text, values, each)),
          },
          lists: new ListCache(() => 0),
          budget: new ReadBudget(config.limits),
        });
        return statements;
      });
    },
    close: () => database.close(),
  };
}

function route(model, path) {
  const [, name = '', key, query = ''] = /^\/api\/(?:upload\/)?([\w-]+)(?:\/([^/?]+))?\/?(?:\?(.*))?$/s.exec(path) ?? [];
  for (const type of model.contentTypes.values()) {
    if (name !== (type.kind === 'singleType' ? type.singularName : type.pluralName)) continue;
    if (key === undefined) return { type, target: { kind: type.kind === 'singleType' ? 'single' : 'list' }, key, query };
    const by = type.routed ? 'documentId' : 'id';
    const value = decodeURIComponent(key);
    return { type, target: { kind: 'one', by, key: value }, key: by === 'id' ? Number(value) : value, query };
  }
  throw new Error(`no type at ${path}`);
}

async function readLocales(database) {
  const rows = await database.read((connection) => connection.query('SELECT code FROM i18n_locale ORDER BY id', []));
  const codes = rows.map(([code]) => String(code));
  return { byDefault: codes.includes('en') ? 'en' : codes[0], codes, key: codes.join(' ') };
}
