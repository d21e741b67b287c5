/** The command lines of API tokens, roles, rights, users and locales. */
import type { Command } from 'commander';
import { type CommandAction, dirOption, repeatable } from '../command-action.ts';
import type { ProjectOptions } from '../project/load-project.ts';
import type { PermissionsOptions } from './permissions-command.ts';
import type { NewTokenOptions } from './token-command.ts';
import type { PasswordOptions, UserCreateOptions, UserDeleteOptions } from './user-command.ts';

export function accessCommands(program: Command, action: CommandAction): void {
  tokenCommands(program, action);
  permissionsCommands(program, action);
  roleCommands(program, action);
  userCommands(program, action);
  localeCommands(program, action);
}

function tokenCommands(program: Command, action: CommandAction): void {
  const token = program.command('token').description('API tokens, which programs send as `Authorization: Bearer …`');
  token
    .command('create')
    .description('create a token; its secret is printed to stdout, only once')
    .requiredOption('--name <name>', 'name of the token')
    .requiredOption('--type <type>', 'full-access, read-only, or custom (the actions that --action names)')
    .option('--action <action>', 'an action that a custom token may do, such as api::article.article.find; repeatable', repeatable)
    .option('--expires <when>', '12h, 30d, 2030-12-31 or never', 'never')
    .option('--description <text>', 'purpose of the token')
    .option(...dirOption)
    .action(action(async (options: NewTokenOptions) => (await import('./token-command.ts')).tokenCreate(options)));
  token
    .command('list')
    .description('print all tokens, without their secrets')
    .option('--json', 'print them as JSON')
    .option(...dirOption)
    .action(action(async (options: ProjectOptions & { json?: boolean }) => (await import('./token-command.ts')).tokenList(options)));
  token
    .command('revoke <id|name>')
    .description('revoke a token permanently')
    .option(...dirOption)
    .action(action(async (token: string, { dir }: ProjectOptions) => (await import('./token-command.ts')).tokenRevoke({ dir, token })));
  token
    .command('rotate <id|name>')
    .description('give a token a new secret; the old one stops working')
    .option(...dirOption)
    .action(action(async (token: string, { dir }: ProjectOptions) => (await import('./token-command.ts')).tokenRotate({ dir, token })));
}

function permissionsCommands(program: Command, action: CommandAction): void {
  const permissions = program.command('permissions').description('roles and rights that the file permissions.json declares');
  permissions
    .command('plan')
    .description('print what `apply` would do; exit code 3 when there are changes')
    .option(...dirOption)
    .option('--json', 'print it as JSON')
    .action(action(async (options: PermissionsOptions) => (await import('./permissions-command.ts')).permissionsPlan(options)));
  permissions
    .command('apply')
    .description('make the database match the file, in one transaction')
    .option(...dirOption)
    .option('--json', 'print what was done as JSON')
    .action(action(async (options: PermissionsOptions) => (await import('./permissions-command.ts')).permissionsApply(options)));
  permissions
    .command('export')
    .description('print the rights in the database as a permissions.json')
    .option(...dirOption)
    .action(action(async (options: ProjectOptions) => (await import('./permissions-command.ts')).permissionsExport(options)));
}

function roleCommands(program: Command, action: CommandAction): void {
  const role = program.command('role').description('roles and their rights');
  role
    .command('list')
    .description('list the roles')
    .option(...dirOption)
    .action(action(async (options: ProjectOptions) => (await import('./role-command.ts')).roleList(options)));
  const change = (name: 'allow' | 'deny', description: string) =>
    role
      .command(name)
      .description(description)
      .argument('<role>', 'type or name of the role: public, authenticated, …')
      .argument('<type>', 'uid, singular or plural name of a content type, or a controller such as plugin::users-permissions.user')
      .argument('<action...>', 'find, findOne, create, update, delete, findDraft, publish; for controllers their own')
      .option(...dirOption)
      .action(
        action(async (roleName: string, type: string, actions: readonly string[], options: ProjectOptions) => {
          const { roleAllow, roleDeny } = await import('./role-command.ts');
          return (name === 'allow' ? roleAllow : roleDeny)({ role: roleName, type, actions }, options);
        }),
      );
  change('allow', 'give a role rights');
  change('deny', 'take rights away from a role');
}

function userCommands(program: Command, action: CommandAction): void {
  const user = program.command('user').description('the users who sign in');
  user
    .command('create')
    .description('create a user who can sign in at once')
    .requiredOption('--username <name>', 'unique, and not the e-mail address of another user')
    .requiredOption('--email <address>', 'unique')
    .option('--role <role>', 'type or name of the role; without it, the role of newly registered users')
    .option('--password-stdin', 'read the password from standard input, instead of generating and printing one')
    .option(...dirOption)
    .action(action(async (options: UserCreateOptions) => (await import('./user-command.ts')).userCreate(options)));
  user
    .command('list')
    .description('list the users')
    .option(...dirOption)
    .action(action(async (options: ProjectOptions) => (await import('./user-command.ts')).userList(options)));
  userChanges(user, action);
  for (const [name, blocked, description] of [
    ['block', true, 'refuse every request of a user'],
    ['unblock', false, 'end the block of a user'],
  ] as const) {
    user
      .command(name)
      .description(description)
      .argument('<user>', 'name, e-mail address or row id')
      .option(...dirOption)
      .action(action(async (who: string, options: ProjectOptions) => (await import('./user-command.ts')).userBlock(who, blocked, options)));
  }
}

/** The commands that change one user. */
function userChanges(user: Command, action: CommandAction): void {
  user
    .command('set-role')
    .description('give a user another role')
    .argument('<user>', 'name, e-mail address or row id')
    .argument('<role>', 'type or name of the role')
    .option(...dirOption)
    .action(
      action(async (who: string, role: string, options: ProjectOptions) =>
        (await import('./user-command.ts')).userSetRole(who, role, options),
      ),
    );
  user
    .command('set-password')
    .description('give a user a new password, which is printed to stdout, and end all sessions')
    .argument('<user>', 'name, e-mail address or row id')
    .option('--password-stdin', 'read the password from standard input, instead of generating and printing one')
    .option(...dirOption)
    .action(action(async (who: string, options: PasswordOptions) => (await import('./user-command.ts')).userSetPassword(who, options)));
  user
    .command('delete')
    .description('delete a user for good; asks first')
    .argument('<user>', 'name, e-mail address or row id')
    .option('--yes', 'do not ask')
    .option(...dirOption)
    .action(action(async (who: string, options: UserDeleteOptions) => (await import('./user-command.ts')).userDelete(who, options)));
}

function localeCommands(program: Command, action: CommandAction): void {
  const locale = program.command('locale').description('the locales of localized types');
  locale
    .command('list')
    .description('list the locales')
    .option('--json', 'print them as JSON')
    .option(...dirOption)
    .action(action(async (options: ProjectOptions & { json?: boolean }) => (await import('./locale-command.ts')).localeList(options)));
  locale
    .command('add')
    .description('add a locale; a running server uses it from its next request on')
    .argument('<code>', 'code of the locale: de, pt-BR, zh-Hans, …')
    .option('--name <name>', 'name that editors see; without it, the English one, such as "German (de)"')
    .option(...dirOption)
    .action(
      action(async (code: string, options: ProjectOptions & { name?: string }) =>
        (await import('./locale-command.ts')).localeAdd(code, options),
      ),
    );
  locale
    .command('remove')
    .description('remove a locale that has no entries')
    .argument('<code>', 'code of the locale')
    .option('--delete-entries', 'delete its entries of all types with it, in one transaction')
    .option(...dirOption)
    .action(
      action(async (code: string, options: ProjectOptions & { deleteEntries?: boolean }) =>
        (await import('./locale-command.ts')).localeRemove(code, options),
      ),
    );
  locale
    .command('default')
    .description('make a locale the default one, for requests that name none')
    .argument('<code>', 'code of the locale')
    .option(...dirOption)
    .action(action(async (code: string, options: ProjectOptions) => (await import('./locale-command.ts')).localeDefault(code, options)));
}
