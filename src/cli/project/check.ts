import { checkSettings, defaultRoleOf, defaultRoleProblems } from '../../accounts/check-settings.ts';
import type { Config, DatabaseConfig } from '../../config/config.ts';
import { databaseFileProblems, mayCreateDatabase } from '../../config/database-file.ts';
import { configuredSettings } from '../../config/stored-settings.ts';
import { embeddedFile, missingFile } from '../../dialects/embedded-file.ts';
import { openReplicas, withDatabase } from '../../dialects/open-database.ts';
import { describeProblems } from '../../dialects/replicas.ts';
import { StartError } from '../../errors/start-error.ts';
import { describeProjectRoutes } from '../../http/routes/describe-project-routes.ts';
import { loadProjectRoutes } from '../../http/routes/load-project-routes.ts';
import type { ProjectRoutes } from '../../http/routes/project-routes.ts';
import { withColumnTypes } from '../../migrations/changed-types.ts';
import { initialRoleTypes } from '../../migrations/initial-rows.ts';
import { offeredNames, prepareDatabase } from '../../migrations/prepare-database.ts';
import type { ContentModel } from '../../model/content-model.ts';
import { describeMistakes, loadProjectModel } from '../../model/load/load-project-model.ts';
import { unknownNames } from '../../model/unknown-names.ts';
import type { Manifest } from '../../own-code/protocol.ts';
import { describeDefaultAdministrators } from '../../permissions/default-administrators.ts';
import { type FoundDeclaration, findDeclaration } from '../../permissions/find-declaration.ts';
import { describeInvalidConditions, invalidConditions } from '../../permissions/invalid-conditions.ts';
import { type PermissionPlan, planPermissions } from '../../permissions/plan-permissions.ts';
import { readStoredState } from '../../permissions/stored-roles.ts';
import { describeUnknownRights, settleUnknownRights } from '../../permissions/unknown-rights.ts';
import { describeVisitorsOnly } from '../../permissions/visitors-only.ts';
import { checkSelections } from '../../pipeline/parse/check-selections.ts';
import { readDefaultPopulate } from '../../pipeline/parse/default-populate.ts';
import { grantableTypesOf } from '../../rights/grantable-actions.ts';
import { writingProblem } from '../../sql/run.ts';
import { missingOptionalTables } from '../../tables/optional-tables.ts';
import { counted } from '../../text/counted.ts';
import { lecternCommand } from '../../text/lectern-command.ts';
import { checkProjectWebhooks } from '../events/project-webhooks.ts';
import { exitCodes } from '../exit-codes.ts';
import { loadProject, type ProjectOptions } from './load-project.ts';
import { projectFolderProblem } from './project-folder.ts';
import { projectManifest } from './project-manifest.ts';

interface CheckOptions extends ProjectOptions {
  /** A database to try instead of a project; true: the project's own, before the usual checks. */
  readonly database?: DatabaseConfig | true;
}

/** `lectern check`: finds everything that prevents a start. Serves and changes nothing. */
export async function check({ database, ...options }: CheckOptions): Promise<number> {
  if (database === undefined) return checkProject(options);
  const { checkServer } = await import('./check-server.ts');
  if (database !== true) return checkServer(database, true);
  const status = await checkServer(loadProject(options).config.database, false);
  return status === exitCodes.done ? checkProject(options) : status;
}

async function checkProject(options: ProjectOptions): Promise<number> {
  const problems: string[] = [];
  const project = await attempt(problems, () => loadProject(options));
  const config = project?.config;
  // Checks schema files even if the configuration has mistakes, unless the folder is no project.
  const model =
    projectFolderProblem(options.dir) !== undefined
      ? undefined
      : await attempt(problems, () => loadProjectModel(config ?? { dir: options.dir, customFields: {}, profile: 'specification' }));
  let found: Found = { database: '' };
  let routes: ProjectRoutes | undefined;
  let code: Manifest | undefined;
  if (config !== undefined && model !== undefined) {
    const declared = await attempt(problems, () => findDeclaration(config.dir, model));
    code = await attempt(problems, () => projectManifest(config.dir, model));
    routes = await attempt(problems, () => loadProjectRoutes(config, model, code?.endpoints));
    await attempt(problems, () => checkSelections(config, model));
    await attempt(problems, () => readDefaultPopulate(config, model));
    problems.push(...unknownNames(config, model));
    found = await checkDatabase(config, model, declared, problems);
  }
  const mistakes = model === undefined ? [] : describeMistakes(model);
  if (problems.length > 0) throw new StartError([...problems, ...mistakes]);

  const warnings = [
    ...[...(project?.warnings ?? []), ...(found.warnings ?? [])].map((warning) => `Warning: ${warning}\n`),
    found.stale ?? '',
    routes === undefined ? '' : describeProjectRoutes(routes, config?.dir ?? options.dir),
  ].join('');
  process.stderr.write(warnings);
  if (found.openDecisions) process.stderr.write(`${found.openDecisions}\n`);
  process.stdout.write(
    [
      `Configuration: profile ${config?.profile} (${config?.profileReason})`,
      ...((config?.projectSettings.length ?? 0) === 0 ? [] : [`Settings:      ${config?.projectSettings.join('; ')}`]),
      `Schema files:  ${counted([...(model?.contentTypes.values() ?? [])].filter((type) => type.routed).length, 'content type')}, ${counted(model?.components.size ?? 0, 'component')}`,
      ...codeLine(code),
      `Database:      ${found.database}`,
      ...(found.replicas === undefined ? [] : [`Replicas:      ${found.replicas}`]),
      ...(found.rights === undefined ? [] : [`Rights:        ${found.rights}`]),
      mistakes.length === 0 && !found.hasOpenChanges ? verdict(warnings) : '',
    ].join('\n'),
  );
  if (mistakes.length === 0) return found.hasOpenChanges ? exitCodes.changesFound : exitCodes.done;
  process.stderr.write(
    `The server starts, and warns of ${counted(mistakes.length, 'mistake')} in the schema files:\n${mistakes.map((each) => `  - ${each}\n`).join('')}`,
  );
  return exitCodes.failed;
}

function codeLine(code: Manifest | undefined): readonly string[] {
  const { hooks = [], endpoints = [] } = code ?? {};
  if (hooks.length + endpoints.length === 0) return [];
  const types = new Set(hooks.map(({ uid }) => uid)).size;
  return [`Code:          hooks of ${counted(types, 'content type')}, ${counted(endpoints.length, 'endpoint')}`];
}

function verdict(printed: string): string {
  const count = printed.match(/^Warning: /gm)?.length ?? 0;
  return count === 0 ? 'No problems found.\n' : `No errors, ${counted(count, 'warning')}.\n`;
}

async function attempt<T>(problems: string[], work: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}

/** The checked database, described. */
interface Found {
  readonly database: string;
  /** The read replicas, and why some are not used. */
  readonly replicas?: string | undefined;
  /** Where the rights are declared, and whether the database has the same. */
  readonly rights?: string | undefined;
  /** A warning about unknown rights; may be empty. */
  readonly stale?: string;
  /** Changes that a person has to decide on, a line each; may be empty. */
  readonly openDecisions?: string;
  readonly hasOpenChanges?: boolean;
  /** Warnings, a line each. */
  readonly warnings?: readonly string[];
}

async function checkDatabase(
  config: Config,
  model: ContentModel,
  declared: FoundDeclaration | undefined,
  problems: string[],
): Promise<Found> {
  const mayCreate = mayCreateDatabase(config);
  const obstacles = databaseFileProblems(config, mayCreate);
  problems.push(...obstacles);
  const shownDatabase = [config.database.client, embeddedFile(config.database)].filter(Boolean).join(', ');
  const only = (text: string): Found => ({ database: text, rights: declared?.source });
  if (obstacles.length > 0) return only(shownDatabase);
  const declaredRoles = config.applyPermissions === 'auto' ? [...(declared?.declaration.roles.keys() ?? [])] : [];
  const checkNewDatabase = () =>
    problems.push(...defaultRoleProblems(undefined, configuredSettings(config, 'nobody'), [...initialRoleTypes, ...declaredRoles]));
  if (missingFile(config.database) !== undefined) {
    checkNewDatabase();
    return only(`${shownDatabase}; it does not exist yet, and the start creates it`);
  }
  return withDatabase(config.database, { create: false, statementTime: config.limits.statementTime }, async (database) => {
    const state = await prepareDatabase(database, model, { migrate: 'never', dir: config.dir });
    const { openDecisions, hasOpenChanges } = state;
    if (state.ok) {
      const missing = missingOptionalTables(config, database, new Set((await database.tables()).map(({ name }) => name)));
      const configured = configuredSettings(config, state.origin);
      const settings = await checkSettings(database, configured, declaredRoles);
      const stored = await readStoredState(database);
      const readOnly = await writingProblem(database);
      const grantableTypes = grantableTypesOf(model);
      const plan = declared === undefined ? undefined : planPermissions(declared.declaration, stored, grantableTypes);
      const served = withColumnTypes(model, state.changedTypes);
      const webhooks = await checkProjectWebhooks({ config, model: served, database, origin: state.origin }, declaredRoles);
      problems.push(
        ...missing,
        ...settings.problems,
        ...webhooks.problems,
        ...(plan?.problems ?? []).map((problem) => `${declared?.source}: ${problem}`),
      );
      const isApplied = config.applyPermissions === 'auto';
      const changes = isApplied ? (plan?.changes ?? []) : [];
      const visitorsOnly = describeVisitorsOnly(stored, changes, grantableTypes);
      const administrators = describeDefaultAdministrators(await defaultRoleOf(database, configured), stored, changes);
      return {
        database: missing.length === 0 ? `${shownDatabase}; nothing is missing` : shownDatabase,
        replicas: await checkReplicas(config),
        rights: plan === undefined ? undefined : `${declared?.source}; ${describePlan(plan)}`,
        stale:
          describeUnknownRights(await settleUnknownRights(database, model, 'nothing', () => offeredNames(database, model))) +
          describeInvalidConditions(await invalidConditions(database, served)),
        openDecisions,
        hasOpenChanges,
        warnings: [
          ...(readOnly === undefined ? [] : [readOnly]),
          ...settings.ignored,
          ...webhooks.warnings,
          ...[visitorsOnly, administrators].filter((warning) => warning !== undefined),
        ],
      };
    }
    if (state.origin === 'nobody') checkNewDatabase();
    // Tables and columns that the start adds are not a problem.
    if (mayCreate && state.startRepairs)
      return { ...only(`${shownDatabase}; the start adds what is missing`), openDecisions, hasOpenChanges };
    problems.push(...state.problems);
    return only(shownDatabase);
  });
}

/** A replica that cannot be used is not a problem of the project, since the primary serves. */
async function checkReplicas({ database, limits }: Config): Promise<string | undefined> {
  const replicas = await openReplicas(database, { statementTime: limits.statementTime });
  if (replicas === undefined) return undefined;
  await replicas.asked;
  const states = replicas.states();
  await replicas.close();
  return [
    `${counted(states.length, 'read replica')} within ${database.replicaLag} ms`,
    ...(describeProblems(states)?.split('\n') ?? []),
  ].join('\n               ');
}

const describePlan = ({ changes }: PermissionPlan): string =>
  changes.length === 0 ? 'the database has the same rights' : `\`${lecternCommand('permissions plan')}\` lists the differences`;
