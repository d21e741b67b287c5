/** The rights of a caller that a command names. */
import { configuredSettings } from '../../config/stored-settings.ts';
import type { Database } from '../../dialects/database.ts';
import { StartError } from '../../errors/start-error.ts';
import { createAccessStore } from '../../identity/access-store.ts';
import { createApiTokens } from '../../identity/api-token-store.ts';
import { rightsNamed } from '../../identity/rights-named.ts';
import { userUid } from '../../model/built-in-types.ts';
import { type Rights, rightsByTokenType, rightsTo } from '../../rights/rights.ts';
import { roleRows } from '../../rights/role-store.ts';
import { columnsByTable } from '../../sql/table-exists.ts';
import { nearest } from '../../text/nearest.ts';
import type { OpenProject } from './open-project.ts';

/** `name`: the type of a role or of API tokens, or the name of an API token. */
export async function rightsOfCaller(name: string, project: OpenProject): Promise<Rights> {
  const found = await (await rightsIn(project))(name);
  if (found !== undefined) return found;
  const { database, config } = project;
  const token = (await createApiTokens(database, await database.tables(), config.secrets).list()).find((each) => each.name === name);
  if (token === undefined) throw new StartError([await unknownCaller(name, 'role or API token', database)]);
  return rightsByTokenType.get(token.type) ?? rightsTo(token.actions);
}

export async function rightsOfRoleType(type: string, project: OpenProject): Promise<Rights> {
  const found = await (await rightsIn(project))(type);
  if (found === undefined) throw new StartError([await unknownCaller(type, 'role', project.database)]);
  return found;
}

/** Returns a function that finds the rights that a name stands for; undefined if there are none. */
export async function rightsIn({ config, model, database, origin }: OpenProject): Promise<ReturnType<typeof rightsNamed>> {
  const store = createAccessStore(database, await columnsByTable(database), {
    userType: model.contentTypes.get(userUid),
    configured: configuredSettings(config, origin),
  });
  return rightsNamed(store, database);
}

async function unknownCaller(name: string, what: string, database: Database): Promise<string> {
  const known = (await database.read((connection) => roleRows(connection))).map((role) => String(role.type));
  const kinds = [...rightsByTokenType.keys()];
  const meant = nearest(name, [...known, ...kinds]);
  const question = meant === undefined ? '.' : `; did you mean ${meant}?`;
  return `--as: there is no ${what} ${JSON.stringify(name)}${question} Roles: ${known.join(', ')}. API tokens: ${kinds.join(', ')}`;
}
