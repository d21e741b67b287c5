import { randomBytes } from 'node:crypto';
import { linkDays, newPasswordLink, noPasswordPage, passwordPage } from '../../accounts/password-link.ts';
import { createRoles } from '../../accounts/roles.ts';
import { accountList, createUserStore, type ListedAccount, type UserStore } from '../../accounts/user-store.ts';
import { configuredSettings } from '../../config/stored-settings.ts';
import { StartError } from '../../errors/start-error.ts';
import { keepsEvents } from '../../events/event-store.ts';
import { createAccessStore } from '../../identity/access-store.ts';
import { createSessionStore } from '../../identity/session-store.ts';
import { createLocales } from '../../locales/locales.ts';
import { userUid } from '../../model/built-in-types.ts';
import type { WriteUser } from '../../pipeline/call.ts';
import { UnlistedComponents } from '../../pipeline/unlisted-components.ts';
import { createWriteUser } from '../../pipeline/write-user.ts';
import { columnsByTable } from '../../sql/table-exists.ts';
import { inColumns } from '../../text/align-columns.ts';
import { lecternCommand } from '../../text/lectern-command.ts';
import { didYouMean } from '../../text/nearest.ts';
import { printable } from '../../text/printable.ts';
import { confirmed, isTerminal } from '../confirm.ts';
import { exitCodes } from '../exit-codes.ts';
import type { ProjectOptions } from '../project/load-project.ts';
import { type OpenProject, withProject } from '../project/open-project.ts';
import { findRole } from './role-command.ts';
import { createAccount, deleteAccount, setBlocked, setPassword, setRole } from './user-accounts.ts';

interface UserCreateOptions extends ProjectOptions {
  readonly username: string;
  readonly email: string;
  readonly role?: string;
  readonly passwordStdin?: boolean;
  readonly link?: boolean;
}

/** `lectern user create`: reads the password from standard input, or prints a generated one alone
 *  on standard output, or a link by which the user sets it. */
export function userCreate(options: UserCreateOptions): Promise<number> {
  if (options.link === true && options.passwordStdin === true)
    throw new StartError(['With --link the user sets the password: leave out --password-stdin.'], exitCodes.usage);
  return withProject(options, async (project) => {
    if (options.link === true) return createWithLink(options, project);
    const chosen = await choosePassword(options);
    const { users, writeUser } = await userParts(project);
    const role = await roleFor(options.role, project);
    const id = await createAccount({ ...options, password: chosen.password }, role.id, users, writeUser);
    report(`Created the user ${options.username} (id ${id}) with the role ${role.type}.`, chosen);
    return 0;
  });
}

async function createWithLink(options: UserCreateOptions, project: OpenProject): Promise<number> {
  const page = await pageOfProject(project);
  const { users, writeUser } = await userParts(project);
  const role = await roleFor(options.role, project);
  const id = await createAccount({ ...options, password: newPassword() }, role.id, users, writeUser);
  await printLink(`Created the user ${options.username} (id ${id}) with the role ${role.type}.`, { id, page, users });
  return 0;
}

/** `lectern user link <user>`: prints a link by which the user sets a password. */
export function userLink(name: string, options: ProjectOptions): Promise<number> {
  return withProject(options, async (project) => {
    const account = await findAccount(name, project);
    if (account.blocked) throw new StartError([`${nameOf(account)} is blocked, so that no link would be accepted.`]);
    const page = await pageOfProject(project);
    warnOfProvider(account);
    await printLink('Links in earlier mails are invalid now.', { id: account.id, page, ...(await userParts(project)) });
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

/** `lectern user block <user>`; the user is named by name, e-mail address or row id. */
export const userBlock = (name: string, options: ProjectOptions) => block(name, true, options);
/** `lectern user unblock <user>`. */
export const userUnblock = (name: string, options: ProjectOptions) => block(name, false, options);

function block(name: string, blocked: boolean, options: ProjectOptions): Promise<number> {
  return withProject(options, async (project) => {
    const account = await findAccount(name, project);
    await setBlocked(account, blocked, await userParts(project));
    process.stdout.write(`${nameOf(account)} is ${blocked ? 'blocked: every request as this user is refused' : 'no longer blocked'}.\n`);
    return 0;
  });
}

/** `lectern user set-role <user> <role>`. */
export function userSetRole(name: string, roleName: string, options: ProjectOptions): Promise<number> {
  return withProject(options, async (project) => {
    const account = await findAccount(name, project);
    const role = await roleFor(roleName, project);
    if (account.role?.id === role.id) process.stdout.write(`${nameOf(account)} already has the role ${role.type}.\n`);
    else {
      await setRole(account, role.id, await userParts(project));
      process.stdout.write(
        `${nameOf(account)} now has the role ${role.type}${account.role === null ? '' : `, and no longer ${account.role.type}`}.\n`,
      );
    }
    return 0;
  });
}

interface PasswordOptions extends ProjectOptions {
  readonly passwordStdin?: boolean;
}

/** `lectern user set-password <user>`: reads the password from standard input, or prints a
 *  generated one alone on standard output. */
export function userSetPassword(name: string, options: PasswordOptions): Promise<number> {
  return withProject(options, async (project) => {
    const account = await findAccount(name, project);
    const chosen = await choosePassword(options);
    await setPassword(account, chosen.password, await userParts(project));
    warnOfProvider(account);
    report(`${nameOf(account)} has a new password, and has to sign in again.`, chosen);
    return 0;
  });
}

function warnOfProvider(account: ListedAccount): void {
  if (account.provider === 'local') return;
  process.stderr.write(
    `Warning: ${nameOf(account)} signs in with ${account.provider ?? 'no provider'}, where this password has no effect.\n`,
  );
}

interface UserDeleteOptions extends ProjectOptions {
  readonly yes?: boolean;
}

/** `lectern user delete <user>`: asks on a terminal. */
export function userDelete(name: string, options: UserDeleteOptions): Promise<number> {
  const asks = options.yes !== true;
  if (asks && !isTerminal()) throw new StartError(['`user delete` asks on a terminal; without one, add --yes.'], exitCodes.usage);
  return withProject(options, async (project) => {
    const account = await findAccount(name, project);
    const shown = `${nameOf(account)} (id ${account.id}${account.email === null ? '' : `, ${account.email}`})`;
    const decision = asks ? await confirmed(`Delete the user ${shown}, for good?`) : true;
    if (decision !== true) {
      process.stderr.write('Nothing was deleted.\n');
      return decision === false ? exitCodes.failed : exitCodes.interrupted;
    }
    await deleteAccount(account, await userParts(project));
    process.stdout.write(`Deleted the user ${shown}.\n`);
    return 0;
  });
}

/** Users choose their names, so a user may have the row id of another one as name: then `name` is
 *  refused as ambiguous. */
async function findAccount(name: string, { database }: OpenProject): Promise<ListedAccount> {
  const accounts = await accountList(database);
  const found = accounts.filter(({ id, username, email }) => username === name || email === name.toLowerCase() || String(id) === name);
  const [account, ...others] = found;
  if (account !== undefined && others.length === 0) return account;
  if (account !== undefined)
    throw new StartError([
      `Several users have ${name} as user name, e-mail address or row id; name one in another way: ${found.map(shownAccount).join('; ')}.`,
    ]);
  const names = accounts.flatMap(({ username, email }) => [username ?? [], email ?? []].flat()).filter((each) => each !== '');
  throw new StartError([`There is no user ${name}; \`${lecternCommand('user list')}\` lists them.${didYouMean(name, names)}`]);
}

const shownAccount = ({ id, username, email }: ListedAccount) =>
  printable(`row id ${id}, ${username ?? 'no user name'}, ${email ?? 'no e-mail address'}`);
const nameOf = ({ username, id }: ListedAccount) => username ?? String(id);

interface ChosenPassword {
  readonly password: string;
  readonly isGenerated: boolean;
}

async function choosePassword({ passwordStdin }: PasswordOptions): Promise<ChosenPassword> {
  if (passwordStdin === true) return { password: await passwordFromInput(), isGenerated: false };
  return { password: newPassword(), isGenerated: true };
}

const newPassword = () => randomBytes(15).toString('base64url');

/** Standard output has only the password, so that a script can read it. */
function report(done: string, { password, isGenerated }: ChosenPassword): void {
  process.stderr.write(isGenerated ? `${done} The password is shown only this once:\n` : `${done}\n`);
  if (isGenerated) process.stdout.write(`${password}\n`);
  if (isGenerated && isTerminal())
    process.stderr.write(`${lecternCommand('user link')} prints a link instead, by which a user sets a password.\n`);
}

interface LinkParts {
  readonly id: number;
  readonly page: string;
  readonly users: UserStore;
}

/** Standard output has only the link. */
async function printLink(done: string, { id, page, users }: LinkParts): Promise<void> {
  const link = await newPasswordLink(id, page, users);
  process.stderr.write(`${done} With this link, which is valid once and for ${linkDays} days, the user sets a password:\n`);
  process.stdout.write(`${link}\n`);
}

async function pageOfProject(project: OpenProject): Promise<string> {
  const page = await passwordPage(project.config, await accessStore(project));
  if (page === undefined) throw new StartError([`${noPasswordPage}.`]);
  return page;
}

async function userParts({ config, model, database }: OpenProject) {
  const type = model.contentTypes.get(userUid);
  if (type === undefined) throw new StartError(['This project has no users.']);
  const tables = await columnsByTable(database);
  const locales = createLocales(database, () => database.dataVersion());
  const unlisted = new UnlistedComponents(model);
  const keeps = keepsEvents(config, tables);
  const parts = { config, model, database, keepsEvents: keeps, locales, unlisted };
  const writeUser: WriteUser = createWriteUser(parts, type);
  return {
    config,
    users: createUserStore(database, keeps),
    writeUser,
    sessionStore: createSessionStore(database, tables),
  };
}

/** The named role, or the role of newly registered users. */
async function roleFor(name: string | undefined, project: OpenProject) {
  const roles = (await createRoles(project.database).list()).map(({ id, type, name: shown }) => ({
    id,
    type: String(type),
    name: String(shown),
  }));
  if (name !== undefined) return findRole(name, roles);
  const store = await accessStore(project);
  return findRole(await store.defaultRoleType(), roles);
}

const accessStore = async ({ config, database, origin }: OpenProject) =>
  createAccessStore(database, await columnsByTable(database), { userType: undefined, configured: configuredSettings(config, origin) });

const maxInput = 65_536;

async function passwordFromInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    chunks.push(Buffer.from(chunk));
    bytes += chunk.length;
    // No password is that long; the rest is not read.
    if (bytes > maxInput) break;
  }
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
}
