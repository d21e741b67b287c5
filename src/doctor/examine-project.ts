/** Examines a project: what Lectern serves as Strapi does, and what not. Reads files and the
 *  database; runs no code and changes nothing. */

import type { Config } from '../config/config.ts';
import { databaseFileProblems } from '../config/database-file.ts';
import { loadConfig } from '../config/load-config.ts';
import { missingFile } from '../dialects/embedded-file.ts';
import { withDatabase } from '../dialects/open-database.ts';
import { StartError } from '../errors/start-error.ts';
import { loadProjectRoutes } from '../http/routes/load-project-routes.ts';
import { type ProjectRoutes, projectRoutes } from '../http/routes/project-routes.ts';
import { prepareDatabase } from '../migrations/prepare-database.ts';
import type { ContentModel } from '../model/content-model.ts';
import { describeMistakes, loadProjectModel } from '../model/load/load-project-model.ts';
import { readDefaultPopulate } from '../pipeline/parse/default-populate.ts';
import { openCode } from '../project-code/open-code.ts';
import { readProjectCode } from '../project-code/read-project-code.ts';
import { openSourceFiles } from '../project-code/source-files.ts';
import { physicalSchema } from '../tables/physical-schema.ts';
import { accessFindings } from './access-findings.ts';
import { codeFindings } from './code-findings.ts';
import { configFindings } from './config-findings.ts';
import { databaseFindings, rowFindings } from './database-findings.ts';
import { type DoctorFinding, finding, groups } from './findings.ts';
import { type OwnCodeFiles, readOwnCodeFiles } from './own-code-files.ts';
import { pluginFindings } from './plugin-findings.ts';
import { type Sketch, SketchBook } from './replacement/sketch-book.ts';
import { routeFindings } from './route-findings.ts';
import { readStrapiRows } from './strapi-rows-store.ts';

export interface Examination {
  /** Code without which requests are served comes first. */
  readonly findings: readonly DoctorFinding[];
  readonly profile: string | undefined;
  /** Beginnings of the files that replace code. */
  readonly sketches: readonly Sketch[];
}

/** `describeError`: what a failure of the database means for people. */
export async function examineProject(
  dir: string,
  environment: NodeJS.ProcessEnv,
  describeError: (error: unknown) => string,
): Promise<Examination> {
  const findings: DoctorFinding[] = [];
  const loaded = loadConfig({ dir, environment, overrides: {} });
  const config = loaded.ok ? loaded.config : undefined;
  if (!loaded.ok) findings.push(...loaded.errors.map((problem) => problemOf('config', 'configuration', problem)));
  const model = await attempt(findings, 'schema', 'schema files', () =>
    loadProjectModel(config ?? { dir, customFields: {}, profile: 'strapi' }),
  );
  if (model !== undefined) findings.push(...describeMistakes(model).map((mistake) => problemOf('schema', 'schema files', mistake)));

  const files = openSourceFiles(dir);
  const code = openCode(files);
  const own = readOwnCodeFiles(dir, files);
  const routes = model === undefined ? undefined : await routesOf(dir, config, model, own, findings);
  const book = new SketchBook();
  const replacing = { code, model, book, prefix: config?.api.prefix ?? '/api' };
  const upstream = config?.upstream !== undefined;
  const decisions = config?.routes ?? {};
  const populate = config?.populate ?? {};
  if (routes !== undefined) findings.push(...routeFindings(routes, { populate }, replacing));
  const everywhere = routes?.everywhere ?? readProjectCode(dir).everywhere;
  findings.push(...codeFindings(everywhere, { ...replacing, own, populate, decisions, upstream, routes: routes?.routes ?? [] }));
  findings.push(...pluginFindings(files, code, upstream));
  if (config !== undefined) findings.push(...configFindings(config.strapiFindings, findings));
  if (config !== undefined && model !== undefined) findings.push(...(await examineDatabase(config, model, { upstream, describeError })));
  const agreed = withoutContradictions(findings);
  const checked = config === undefined || model === undefined ? agreed : agreed.map((each) => withoutInvalidPopulate(each, config, model));
  return { findings: inOrder(checked), profile: config?.profile, sketches: book.sketches() };
}

const problemOf = (kind: 'config' | 'schema' | 'database', subject: string, what: string): DoctorFinding =>
  finding({ group: 'decide', kind, subject, what, treatment: 'unknown' });

async function attempt<T>(
  findings: DoctorFinding[],
  kind: 'config' | 'schema',
  subject: string,
  work: () => T | Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    findings.push(...error.problems.map((problem) => problemOf(kind, subject, problem)));
    return undefined;
  }
}

async function routesOf(
  dir: string,
  config: Config | undefined,
  model: ContentModel,
  { endpoints }: OwnCodeFiles,
  findings: DoctorFinding[],
): Promise<ProjectRoutes> {
  const loaded =
    config === undefined ? undefined : await attempt(findings, 'config', 'routes', () => loadProjectRoutes(config, model, endpoints));
  return loaded ?? projectRoutes(model, readProjectCode(dir), config?.routes ?? {});
}

async function examineDatabase(
  config: Config,
  model: ContentModel,
  { upstream, describeError }: { readonly upstream: boolean; readonly describeError: (error: unknown) => string },
): Promise<readonly DoctorFinding[]> {
  const findings: DoctorFinding[] = [];
  const { client } = config.database;
  const problems = databaseFileProblems(config, false);
  if (problems.length > 0) return problems.map((problem) => problemOf('database', client, problem));
  let apiTokens: Readonly<Record<string, number>> = {};
  const missing = missingFile(config.database);
  if (missing !== undefined) {
    findings.push(
      problemOf('database', client, `there is no file ${missing}: is DATABASE_FILENAME right? The start would create an empty database`),
    );
  } else {
    try {
      await withDatabase(config.database, { create: false, statementTime: config.limits.statementTime }, async (database) => {
        findings.push(...databaseFindings(client, await prepareDatabase(database, model, { migrate: 'never', dir: config.dir })));
        const tables = physicalSchema(model).map(({ name }) => name);
        const rows = await readStrapiRows(database, tables);
        apiTokens = rows.apiTokens;
        findings.push(...rowFindings(rows, model, upstream));
      });
    } catch (error) {
      // The findings about files are worth printing without the database.
      findings.push(problemOf('database', client, describeError(error)));
    }
  }
  return [...findings, ...accessFindings(config, apiTokens)];
}

/** Proposes only what the start would accept. */
function withoutInvalidPopulate(original: DoctorFinding, config: Config, model: ContentModel): DoctorFinding {
  const { populate, ...others } = original.write ?? {};
  if (populate === undefined) return original;
  try {
    readDefaultPopulate({ ...config, populate: populate as Config['populate'] }, model);
    return original;
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return {
      ...original,
      what: `${original.what} (its value is not one of the parameter populate: ${error.problems.join('; ')})`,
      write: others,
    };
  }
}

/** `populate` is one value for all reads of a type: if code sets several, none is proposed. */
function withoutContradictions(findings: readonly DoctorFinding[]): readonly DoctorFinding[] {
  const values = new Map<string, Set<string>>();
  for (const { write } of findings) {
    for (const [uid, value] of Object.entries(write?.populate ?? {}))
      values.set(uid, (values.get(uid) ?? new Set()).add(JSON.stringify(value)));
  }
  return findings.map((each) => {
    const { populate = {}, routes = {} } = each.write ?? {};
    if (!Object.keys(populate).some((uid) => (values.get(uid)?.size ?? 0) > 1)) return each;
    const refused = Object.fromEntries(Object.keys(routes).map((action) => [action, 'refuse' as const]));
    return { ...each, what: `${each.what}; other code sets another populate for the type`, write: { routes: refused } };
  });
}

/** By group; in it, what may decide about access first, and otherwise as found. */
function inOrder(findings: readonly DoctorFinding[]): readonly DoctorFinding[] {
  const rank = ({ group, isSecurity, isOpen }: DoctorFinding) => groups.indexOf(group) * 4 + (isSecurity ? 0 : 2) + (isOpen ? 0 : 1);
  return [...findings].sort((a, b) => rank(a) - rank(b));
}
