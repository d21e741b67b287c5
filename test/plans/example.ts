/** The example on a database of its own, for looking at the statements that its reads become and at how the engine would run them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '../../src/config/load-config.ts';
import type { SeedContent } from '../../src/demo-content/content.ts';
import { readContent } from '../../src/demo-content/read-content.ts';
import { writeContent } from '../../src/demo-content/write-content.ts';
import type { Database } from '../../src/dialects/database.ts';
import { openDatabase } from '../../src/dialects/open-database.ts';
import { prepareDatabase } from '../../src/migrations/prepare-database.ts';
import { loadModel } from '../../src/model/load/load-model.ts';
import { authoriseRead } from '../../src/pipeline/authorise/authorise-read.ts';
import type { ReadTarget } from '../../src/pipeline/call.ts';
import { compileRead } from '../../src/pipeline/compile/compile-read.ts';
import type { CompiledRead, SingleStatement } from '../../src/pipeline/compile/types.ts';
import { parseRead } from '../../src/pipeline/parse/parse-read.ts';
import { planRead } from '../../src/pipeline/plan/plan-read.ts';
import { UnlistedComponents } from '../../src/pipeline/unlisted-components.ts';
import { fullRights } from '../../src/rights/rights.ts';
import type { Bindable, Parameter, Statement } from '../../src/sql/statement.ts';
import { createDatabase, type EngineName } from '../support/engines.ts';
import { populatedStatements } from '../support/stages/print-sql.ts';

const blog = fileURLToPath(new URL('../../examples/blog', import.meta.url));

export interface Example {
  readonly database: Database;
  /** The statements of a read, through the real stages, by name: `rows`, `count`, `pageAndTotal`, `rowsOfIds`, and the populated paths
   *  (`category`, `hero.links`, `blocks`, `blocks[shared.quote]`). */
  statements(read: Read): ReadonlyMap<string, Statement>;
  /** The query plan of a statement, for typical parameters. */
  explain(how: string, statement: Statement): Promise<readonly (readonly unknown[])[]>;
  remove(): Promise<void>;
}

export interface Read {
  /** `article`, or a whole uid. */
  readonly type: string;
  readonly target?: ReadTarget['kind'];
  readonly query?: string;
}

export async function openExample(engine: EngineName): Promise<Example> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-test-'));
  const made = await createDatabase(engine);
  const environment = { LECTERN_PROFILE: 'strapi', DATABASE_FILENAME: join(folder, 'data.db'), ...made.env };
  const loaded = loadConfig({ dir: blog, environment, overrides: {} });
  if (!loaded.ok) throw new Error(loaded.errors.join('\n'));
  const { config } = loaded;
  const project = loadModel(blog, { customFields: {}, asStrapi: false });
  if (!project.ok) throw new Error(JSON.stringify(project.errors));
  const { model } = project;
  const { databaseOrder } = config.policies;
  const database = await openDatabase(config.database, { create: true, statementTime: 60_000, databaseOrder });
  const prepared = await prepareDatabase(database, model, { migrate: 'auto' });
  if (!prepared.ok) throw new Error(prepared.problems.join('\n'));
  await writeContent(database, model, severalTimes(await readContent(join(blog, 'content'))));
  const locales = { byDefault: 'en', codes: ['en', 'fr'], key: 'en en fr' };
  const unlisted = new UnlistedComponents(model);

  return {
    database,
    statements({ type: name, target = 'list', query = '' }) {
      const type = model.contentTypes.get(name.includes('::') ? name : `api::${name}.${name}`);
      if (type === undefined) throw new Error(`the example has no ${name}`);
      const actor = { kind: 'public', rights: fullRights } as const;
      const call = { type, target: targetOf(target), query, actor, restriction: undefined, envelope: 'flat' } as const;
      const parts = { rights: fullRights, policies: config.policies, filterOf: () => undefined };
      const permitted = authoriseRead(parseRead(call, { model, config, locales, unlisted }), parts);
      const plan = planRead(permitted, config.policies);
      return new Map(
        named(compileRead(plan, { dialect: database.dialect, status: permitted.status, withIsUrlSigned: false, rowLimit: 100_000 })),
      );
    },
    explain(how, { text, parameters }) {
      const values = parameters.map((parameter) => boundValue(parameter, database));
      return database.read((connection) => connection.query(`${how} ${text}`, values));
    },
    async remove() {
      await database.close();
      await made.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Some hundred articles: with a handful, an engine that keeps statistics would read whole tables whatever the statement says. */
function severalTimes(content: SeedContent): SeedContent {
  const times = 40;
  const types = content.types.map(({ type, documents }) => {
    if (type !== 'api::article.article') return { type, documents };
    const all = [...documents];
    const copies = Array.from({ length: times }, (_, n) => all.map((document) => ({ ...document, key: `${document.key}-${n}` })));
    return { type, documents: [...all, ...copies.flat()] };
  });
  return { ...content, types };
}

const targetOf = (kind: ReadTarget['kind']): ReadTarget => (kind === 'one' ? { kind, by: 'documentId', key: 'any' } : { kind });

function* named({ statements, shape }: CompiledRead): Generator<readonly [string, Statement]> {
  if (statements.kind === 'single') {
    yield ['single', pagedStatement(statements)];
    return;
  }
  const { rows, count, found } = statements;
  yield ['rows', rows];
  if (count !== undefined) yield ['count', count];
  if (found !== undefined) {
    yield ['pageAndTotal', found.pageAndTotal];
    yield ['rowsOfIds', found.rowsOfIds];
  }
  yield* populatedStatements(shape);
}

/** With the page that a request without pagination asks for. */
function pagedStatement({ statement, pageAt }: SingleStatement): Statement {
  const { text } = statement;
  return pageAt === undefined ? statement : { ...statement, text: `${text.slice(0, pageAt)} LIMIT 25${text.slice(pageAt)}` };
}

function boundValue(parameter: Parameter, { dialect }: Database): Bindable {
  switch (parameter.kind) {
    case 'value':
      return parameter.value;
    case 'ids':
      return dialect.bindIds([1, 2, 3]);
    case 'key':
      return 'any';
    case 'limit':
    case 'offset':
    case 'slot':
      return 1;
  }
}
