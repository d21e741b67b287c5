/** The rights of a caller that a command names. */
import { configuredSettings } from '../../config/stored-settings.ts';
import type { Database } from '../../dialects/database.ts';
import { StartError } from '../../errors/start-error.ts';
import { createAccessStore } from '../../identity/access-store.ts';
import { createApiTokens } from '../../identity/api-token-store.ts';
import { userUid } from '../../model/built-in-types.ts';
import { type Rights, rightsByTokenType, rightsOfRole, rightsTo } from '../../rights/rights.ts';
import { roleIdsOfType, roleRows } from '../../rights/role-store.ts';
import { columnsByTable } from '../../sql/table-exists.ts';
import { nearest } from '../../text/nearest.ts';
import type { OpenProject } from './open-project.ts';

/** `name`: the type of a role or of API tokens, or the name of an API token. */
export async function rightsOfCaller(name: string, project: OpenProject): Promise<Rights> {
  const ofType = rightsByTokenType.get(name);
  if (ofType !== undefined) return ofType;
  const { database, config } = project;
  const [id] = await database.read((connection) => roleIdsOfType(connection, name));
  if (id !== undefined) return rightsOfRoleId(id, project);
  const token = (await createApiTokens(database, await database.tables(), config.secrets).list()).find((each) => each.name === name);
  if (token === undefined) throw new StartError([await unknownCaller(name, 'role or API token', database)]);
  return rightsByTokenType.get(token.type) ?? rightsTo(token.actions);
}

export async function rightsOfRoleType(type: string, project: OpenProject): Promise<Rights> {
  const [id] = await project.database.read((connection) => roleIdsOfType(connection, type));
  if (id === undefined) throw new StartError([await unknownCaller(type, 'role', project.database)]);
  return rightsOfRoleId(id, project);
}

/** Conditions that name attributes of the user match nothing. */
async function rightsOfRoleId(id: number, { config, model, database, origin }: OpenProject): Promise<Rights> {
  const tables = await columnsByTable(database);
  const store = createAccessStore(database, tables, {
    userType: model.contentTypes.get(userUid),
    configured: configuredSettings(config, origin),
  });
  return rightsOfRole(await store.roleGrants(id), new Map());
}

async function unknownCaller(name: string, what: string, database: Database): Promise<string> {
  const known = (await database.read((connection) => roleRows(connection))).map((role) => String(role.type));
  const kinds = [...rightsByTokenType.keys()];
  const meant = nearest(name, [...known, ...kinds]);
  const question = meant === undefined ? '.' : `; did you mean ${meant}?`;
  return `--as: there is no ${what} ${JSON.stringify(name)}${question} Roles: ${known.join(', ')}. API tokens: ${kinds.join(', ')}`;
}
