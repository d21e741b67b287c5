/** `lectern explain`: runs one read as a caller's, without caches, and prints where time goes. */
import type { Dialect } from '../../dialects/dialect.ts';
import { ApiError } from '../../errors/api-error.ts';
import { StartError } from '../../errors/start-error.ts';
import { loadProjectRoutes } from '../../http/routes/load-project-routes.ts';
import { type Route, routeOf } from '../../http/routes/routes.ts';
import { createLocales } from '../../locales/locales.ts';
import type { ExplainedRun, ReadCall } from '../../pipeline/call.ts';
import { apiErrorOf } from '../../pipeline/execute/database-errors.ts';
import { createExplainRun } from '../../pipeline/explain-read.ts';
import { readDefaultPopulate } from '../../pipeline/parse/default-populate.ts';
import { UnlistedComponents } from '../../pipeline/unlisted-components.ts';
import { searchIndexes } from '../../search/search-index.ts';
import { lecternCommand } from '../../text/lectern-command.ts';
import { printable, printableJson } from '../../text/printable.ts';
import { exitCodes } from '../exit-codes.ts';
import { rightsOfCaller } from './caller-rights.ts';
import type { ProjectOptions } from './load-project.ts';
import { type OpenProject, withProject } from './open-project.ts';

interface ExplainOptions extends ProjectOptions {
  /** The type of a role, or the name of an API token. */
  readonly as: string;
  readonly json?: boolean;
}

/** `url`: or its path and query. */
export async function explain(url: string, options: ExplainOptions): Promise<number> {
  return withProject(options, async (project) => {
    const { config, database } = project;
    const call = await callOf(url, options, project);
    try {
      if (call instanceof ApiError) throw call;
      const shown = shownRun(await runOf(call, project), database.dialect);
      process.stdout.write(options.json === true ? `${printableJson(shown, 2)}\n` : inText(shown, config.dir));
      return exitCodes.done;
    } catch (thrown) {
      const error = apiErrorOf(thrown, (each) => database.errorKindOf(each), config.limits);
      if (!(error instanceof ApiError)) throw error;
      const { status, code, message } = error;
      process.stdout.write(
        options.json === true
          ? `${printableJson({ status, code, message }, 2)}\n`
          : `${status} ${code}: ${printable(message)}\n${hintFor(code, options, config)}`,
      );
      return exitCodes.failed;
    }
  });
}

/** What else to ask for; empty where the message says it. */
function hintFor(code: string, { as }: ExplainOptions, { api, dir }: OpenProject['config']): string {
  if (code === 'route.not-found') return `Paths begin with ${api.prefix}/; \`${lecternCommand('routes', dir)}\` lists them.\n`;
  return code === 'access.forbidden' ? `That is for ${JSON.stringify(as)}; --as names another role or API token.\n` : '';
}

function runOf(call: ReadCall, { config, model, database }: OpenProject): Promise<ExplainedRun> {
  return createExplainRun({
    config,
    model,
    database,
    locales: createLocales(database, () => undefined),
    unlisted: new UnlistedComponents(model),
    defaultPopulate: readDefaultPopulate(config, model),
    searchIndexes: searchIndexes(config.search, model),
  })(call);
}

/** The read for a request, or the error that refuses the request before its query is read. */
async function callOf(url: string, { as }: ExplainOptions, project: OpenProject): Promise<ReadCall | ApiError> {
  const [path = '', ...rest] = (url.replace(/^https?:\/\/[^/?#]*/i, '').split('#', 1)[0] ?? '').split('?');
  const found = routeOf('GET', path, loadProjectRoutes(project.config, project.model).routes);
  if (found === undefined) return ApiError.of('route.not-found');
  const { route, last } = found;
  const rights = await rightsOfCaller(as, project);
  if (!rights.allows(route.action)) return ApiError.of('access.forbidden');
  const { type, target } = contentOf(route);
  const actor = { kind: 'public', rights } as const;
  const restriction = rights.restriction(route.action);
  const to = target === 'document' ? ({ kind: 'one', by: 'documentId', key: last } as const) : { kind: target };
  return { type, target: to, query: rest.join('?'), actor, restriction, envelope: 'flat' };
}

function contentOf({ path, serves, findings }: Route) {
  if (findings !== undefined) throw new StartError([`${path} has custom code in the project, and is not served`]);
  if (serves.kind === 'content') return serves;
  throw new StartError([`${path} is not a read of a content type: only these are explained`]);
}

type Shown = ReturnType<typeof shownRun>;

function shownRun({ body, stages, statements, ran }: ExplainedRun, dialect: Dialect) {
  return {
    status: 200,
    bytes: Buffer.byteLength(body),
    statements: ran,
    stages: stages.map(([stage, milliseconds]) => ({ stage, milliseconds: rounded(milliseconds) })),
    plans: statements.map(({ milliseconds, plan, ...statement }) => {
      const uses = plan.map((line) => dialect.planUse(line));
      const distinct = (kind: 'index' | 'scan') => [...new Set(uses.flatMap((use) => (use?.kind === kind ? [use.name] : [])))];
      const scans = [...new Set(distinct('scan').flatMap((name) => tableOf(name, statement.sql) ?? []))];
      return { ...statement, milliseconds: milliseconds.map(rounded), plan, indexes: distinct('index'), scans };
    }),
  };
}

function inText({ status, bytes, statements, stages, plans }: Shown, dir: string): string {
  const lines = [`${status}, ${bytes} bytes, ${statements} statements`, ''];
  for (const { stage, milliseconds } of stages) lines.push(`${stage.padEnd(10)} ${String(milliseconds).padStart(9)} ms`);
  for (const { name, sql, parameters, milliseconds, plan, indexes } of plans) {
    const times = milliseconds.length === 0 ? 'not run' : milliseconds.map((time) => `${time} ms`).join(', ');
    lines.push('', `${name}: ${times}`, `  ${sql}`);
    if (parameters.length > 0) lines.push(`  with ${JSON.stringify(parameters)}`);
    lines.push(...plan.map((line) => `    ${line}`));
    if (indexes.length > 0) lines.push(`  indexes: ${indexes.join(', ')}`);
  }
  const scans = plans.filter((each) => each.scans.length > 0).map(({ name, scans: tables }) => `${name} (${tables.join(', ')})`);
  if (scans.length > 0)
    lines.push(
      '',
      `Tables are read as a whole: ${scans.join('; ')}. With few rows that is right; with many, \`${lecternCommand('indexes advise', dir)}\` proposes indexes.`,
    );
  // The URL may come from a log, and its values are in plans.
  return `${lines.map(printable).join('\n')}\n`;
}

/** The table that a plan names, also by its alias; undefined for what the statement made itself. */
function tableOf(name: string, sql: string): string | undefined {
  const tables = [...sql.matchAll(/["`](\w+)["`](?: (?:AS )?(\w+))?/g)].map(([, table = '', alias]) => ({ table, alias }));
  return tables.find(({ table, alias }) => alias === name || table === name)?.table;
}

const rounded = (milliseconds: number) => Math.round(milliseconds * 1000) / 1000;
