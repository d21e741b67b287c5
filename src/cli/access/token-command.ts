/** `lectern token`: manages API tokens, also while a server runs. Standard output has only the
 *  secret, for scripts. */

import type { Config } from '../../config/config.ts';
import { missingFile } from '../../dialects/embedded-file.ts';
import { withDatabase } from '../../dialects/open-database.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { ErrorCode } from '../../errors/catalogue/catalogue.ts';
import { StartError } from '../../errors/start-error.ts';
import { type ApiTokens, createApiTokens, type IssuedApiToken, type ListedApiToken } from '../../identity/api-token-store.ts';
import { parseNewApiToken } from '../../identity/new-api-token.ts';
import { loadProjectModel } from '../../model/load/load-project-model.ts';
import { knownActions } from '../../rights/grantable-actions.ts';
import { mcpWrite } from '../../rights/rights.ts';
import { hasUnfinishedTransfer, unfinishedTransfer } from '../../tables/database-origin.ts';
import { inColumns } from '../../text/align-columns.ts';
import { lecternCommand } from '../../text/lectern-command.ts';
import { exitCodes } from '../exit-codes.ts';
import { checkDatabaseFile, loadProject, type ProjectOptions } from '../project/load-project.ts';

interface NewTokenOptions extends ProjectOptions {
  readonly name: string;
  readonly description?: string;
  readonly type: string;
  readonly action?: readonly string[];
  readonly expires?: string;
  readonly mcp?: 'write';
}

export async function tokenCreate(options: NewTokenOptions): Promise<number> {
  const { name, description, type, expires, mcp } = options;
  const action = mcp === undefined ? options.action : [...(options.action ?? []), mcpWrite];
  const input = { name, description, type, actions: action, expires };
  // Accepts every action here: mistakes in other options are reported without the project.
  explained(() => parseNewApiToken(input, new Set(action), Date.now()), exitCodes.usage);
  const { config } = loadProject(options);
  const actions = knownActions(await loadProjectModel(config));
  const token = explained(() => parseNewApiToken(input, actions, Date.now()), exitCodes.failed);
  return withTokens(config, async (tokens) => printSecret('Created', await tokens.create(token)));
}

export async function tokenList(options: ProjectOptions & { readonly json?: boolean }): Promise<number> {
  return withTokens(loadProject(options).config, async (tokens) => {
    const all = await tokens.list();
    if (options.json === true) process.stdout.write(`${JSON.stringify(all, null, 2)}\n`);
    else process.stdout.write(all.length === 0 ? 'There are no API tokens.\n' : inColumns([heading, ...all.map(line)]));
    return 0;
  });
}

/** `token`: a name, or a row id. */
export async function tokenRotate(token: string, options: ProjectOptions): Promise<number> {
  return withTokens(loadProject(options).config, async (tokens) => printSecret('Changed', await tokens.rotate(token)));
}

export async function tokenRevoke(token: string, options: ProjectOptions): Promise<number> {
  return withTokens(loadProject(options).config, async (tokens) => {
    const { name, id } = await tokens.revoke(token);
    process.stdout.write(`Revoked the API token "${name}" (id ${id}).\n`);
    return 0;
  });
}

function printSecret(done: string, { token, secret }: IssuedApiToken): number {
  const end = token.expiresAt === null ? 'does not expire' : `expires ${token.expiresAt}`;
  process.stderr.write(
    `${done} the API token "${token.name}" (id ${token.id}, ${token.type}, ${end}). The secret is shown only this once:\n`,
  );
  process.stdout.write(`${secret}\n`);
  return 0;
}

const heading = ['ID', 'NAME', 'TYPE', 'EXPIRES', 'LAST USED', 'ACTIONS'];

const line = ({ id, name, type, expiresAt, lastUsedAt, actions }: ListedApiToken): readonly string[] => [
  String(id),
  name,
  type,
  expiresAt === null ? 'never' : `${expiresAt}${Date.parse(expiresAt) <= Date.now() ? ' (expired)' : ''}`,
  lastUsedAt ?? 'never',
  actions.join(' '),
];

async function withTokens(config: Config, work: (tokens: ApiTokens) => Promise<number>): Promise<number> {
  const missing = missingFile(config.database);
  if (missing !== undefined && !config.strapiProject && config.database.unusedServer === undefined) {
    throw new StartError([
      `There is no database ${missing} yet: \`${lecternCommand('start')}\` or \`${lecternCommand('migrate apply')}\` creates it`,
    ]);
  }
  checkDatabaseFile(config, false);
  return withDatabase(config.database, { create: false, statementTime: config.limits.statementTime }, async (database) => {
    const tables = await database.tables();
    if (hasUnfinishedTransfer(tables)) throw new StartError([unfinishedTransfer]);
    const tokens = createApiTokens(database, tables, config.secrets);
    return await work(tokens).catch((error: unknown) => rethrow(error, exitCodes.failed));
  });
}

function explained<T>(work: () => T, exitCode: number): T {
  try {
    return work();
  } catch (error) {
    return rethrow(error, exitCode);
  }
}

/** Messages with the command to run next. */
const atTerminal: ReadonlyMap<ErrorCode, string> = new Map([
  ['api-token.not-found', `There is no such API token; \`${lecternCommand('token list')}\` lists them.`],
  ['api-token.no-tables', `This database has no tables for API tokens; \`${lecternCommand('migrate apply')}\` creates the missing tables.`],
]);

/** Prints the errors of requests as problems. */
function rethrow(error: unknown, exitCode: number): never {
  throw error instanceof ApiError ? new StartError([atTerminal.get(error.code) ?? error.message], exitCode) : error;
}
