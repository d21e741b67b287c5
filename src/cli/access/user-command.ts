import { randomBytes } from 'node:crypto';
import { accountList } from '../../accounts/account-list-store.ts';
import { createRoles } from '../../accounts/roles.ts';
import { createUserStore } from '../../accounts/user-store.ts';
import { ApiError } from '../../errors/api-error.ts';
import { StartError } from '../../errors/start-error.ts';
import { createAccessStore } from '../../identity/access-store.ts';
import { createSessionStore } from '../../identity/session-store.ts';
import { createLocales } from '../../locales/locales.ts';
import { userUid } from '../../model/built-in-types.ts';
import type { WriteUser } from '../../pipeline/call.ts';
import { UnlistedComponents } from '../../pipeline/unlisted-components.ts';
import { createWriteUser } from '../../pipeline/write-user.ts';
import { inColumns } from '../../text/align-columns.ts';
import type { ProjectOptions } from '../project/load-project.ts';
import { type OpenProject, withProject } from '../project/open-project.ts';
import { findRole } from './role-command.ts';
import { createAccount, setBlocked } from './user-accounts.ts';

export interface UserCreateOptions extends ProjectOptions {
  readonly username: string;
  readonly email: string;
  readonly role?: string;
  readonly passwordStdin?: boolean;
}

/** `lectern user create`: the password comes from standard input, or is generated and printed alone on standard output. */
export function userCreate(options: UserCreateOptions): Promise<number> {
  return withProject(options, async (project) => {
    const given = options.passwordStdin === true ? await passwordFromInput() : undefined;
    const password = given ?? randomBytes(15).toString('base64url');
    const { users, writeUser } = await userParts(project);
    const role = await roleFor(options.role, project);
    const id = await reportingProblems(createAccount({ ...options, password }, role.id, users, writeUser));
    const made = `Created the user ${options.username} (id ${id}) with the role ${role.type}.`;
    process.stderr.write(given === undefined ? `${made} The password is shown only this once:\n` : `${made}\n`);
    if (given === undefined) process.stdout.write(`${password}\n`);
    return 0;
  });
}

/** `lectern user list`. */
export function userList(options: ProjectOptions): Promise<number> {
  return withProject(options, async ({ database }) => {
    const lines = (await accountList(database)).map(({ id, username, email, role, confirmed, blocked }) => [
      String(id),
      username ?? '',
      email ?? '',
      role?.type ?? '',
      [...(blocked ? ['blocked'] : []), ...(confirmed ? [] : ['not confirmed'])].join(', '),
    ]);
    process.stdout.write(inColumns([['ID', 'USERNAME', 'EMAIL', 'ROLE', ''], ...lines]));
    return 0;
  });
}

/** `lectern user block <user>` and `unblock`; the user is given by name, e-mail address or row id. */
export function userBlock(name: string, blocked: boolean, options: ProjectOptions): Promise<number> {
  return withProject(options, async (project) => {
    const accounts = await accountList(project.database);
    const named = accounts.filter(({ username, email }) => username === name || email === name.toLowerCase());
    const found = named.length > 0 ? named : accounts.filter(({ id }) => String(id) === name);
    const [account, ...others] = found;
    if (account === undefined) throw new StartError([`There is no user ${name}; \`lectern user list\` lists them.`]);
    if (others.length > 0)
      throw new StartError([`Several users are called ${name}; name one by id: ${found.map(({ id }) => id).join(', ')}.`]);
    await reportingProblems(setBlocked(account, blocked, await userParts(project)));
    process.stdout.write(
      `${account.username ?? account.id} is ${blocked ? 'blocked: every request as this user is refused' : 'no longer blocked'}.\n`,
    );
    return 0;
  });
}

async function userParts({ config, model, database }: OpenProject) {
  const type = model.contentTypes.get(userUid);
  if (type === undefined) throw new StartError(['This project has no users.']);
  const tables = new Map((await database.tables()).map(({ name, columns }) => [name, new Set(columns.keys())]));
  const writeUser: WriteUser = createWriteUser(
    { config, model, database, locales: createLocales(database, () => database.dataVersion()), unlisted: new UnlistedComponents(model) },
    type,
  );
  return { config, users: createUserStore(database), writeUser, sessionStore: createSessionStore(database, tables) };
}

/** The named role, or the role of newly registered users. */
async function roleFor(name: string | undefined, { database }: OpenProject) {
  const roles = (await createRoles(database).list()).map(({ id, type, name: shown }) => ({ id, type: String(type), name: String(shown) }));
  if (name !== undefined) return findRole(name, roles);
  const tables = new Map((await database.tables()).map((each) => [each.name, new Set(each.columns.keys())]));
  return findRole(await createAccessStore(database, tables, undefined).defaultRoleType(), roles);
}

async function passwordFromInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
}

/** Prints the errors of endpoints as problems. */
async function reportingProblems<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const several = Array.isArray(error.details?.errors) ? error.details.errors.map(({ message }: { message: string }) => message) : [];
    throw new StartError(several.length > 0 ? several : [error.message]);
  }
}
