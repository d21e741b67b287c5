/** The command lines of API tokens, roles, rights, users and locales. */
import { type Command, Option } from 'commander';
import { type CommandAction, projectCommand, repeatable } from '../command-action.ts';

export function accessCommands(program: Command, action: CommandAction): void {
  tokenCommands(program, action);
  permissionsCommands(program, action);
  roleCommands(program, action);
  userCommands(program, action);
  localeCommands(program, action);
}

function tokenCommands(program: Command, action: CommandAction): void {
  const token = program.command('token').description('API tokens, which programs send as `Authorization: Bearer …`');
  projectCommand(token, 'create', 'create a token; its secret is printed to stdout, only once')
    .requiredOption('--name <name>', 'name of the token')
    .requiredOption('--type <type>', 'full-access, read-only, or custom (the actions that --action names)')
    .option('--action <action>', 'an action that a custom token may do, such as api::article.article.find; repeatable', repeatable)
    .addOption(new Option('--mcp <access>', 'write: assistants may write with the token, within its rights').choices(['write']))
    .option('--expires <when>', '12h, 30d, 2030-12-31 or never', 'never')
    .option('--description <text>', 'purpose of the token')
    .action(action(async () => (await import('./token-command.ts')).tokenCreate));
  projectCommand(token, 'list', 'print all tokens, without their secrets')
    .option('--json', 'print them as JSON')
    .action(action(async () => (await import('./token-command.ts')).tokenList));
  projectCommand(token, 'revoke <id|name>', 'revoke a token permanently').action(
    action(async () => (await import('./token-command.ts')).tokenRevoke),
  );
  projectCommand(token, 'rotate <id|name>', 'give a token a new secret; the old one stops working').action(
    action(async () => (await import('./token-command.ts')).tokenRotate),
  );
}

function permissionsCommands(program: Command, action: CommandAction): void {
  const permissions = program.command('permissions').description('roles and rights that the file permissions.json declares');
  projectCommand(permissions, 'plan', 'print what `apply` would do; exit code 3 when there are changes')
    .option('--json', 'print it as JSON')
    .action(action(async () => (await import('./permissions-command.ts')).permissionsPlan));
  projectCommand(permissions, 'apply', 'make the database match the file, in one transaction')
    .option('--json', 'print what was done as JSON')
    .action(action(async () => (await import('./permissions-command.ts')).permissionsApply));
  projectCommand(permissions, 'show', 'print what each role may do: its rights with their presets, fields and conditions')
    .argument('[role]', 'type or name of a role; without it, all roles')
    .option('--json', 'print it as JSON')
    .action(action(async () => (await import('./permissions-command.ts')).permissionsShow));
  projectCommand(permissions, 'export', 'print the rights in the database as a permissions.json').action(
    action(async () => (await import('./permissions-command.ts')).permissionsExport),
  );
}

function roleCommands(program: Command, action: CommandAction): void {
  const role = program.command('role').description('roles and their rights');
  projectCommand(role, 'list', 'list the roles').action(action(async () => (await import('./role-command.ts')).roleList));
  const change = (name: string, description: string) =>
    projectCommand(role, name, description)
      .argument('<role>', 'type or name of the role: public, authenticated, …')
      .argument('<type>', 'uid, singular or plural name of a content type, or a controller such as plugin::users-permissions.user')
      .argument('<action...>', 'find, findOne, create, update, delete, aggregate, findDraft, publish; for controllers their own');
  change('allow', 'give a role rights; those of public to authenticated as well')
    .option('--only', 'give them to the named role alone')
    .action(action(async () => (await import('./role-command.ts')).roleAllow));
  change('deny', 'take rights away from a role').action(action(async () => (await import('./role-command.ts')).roleDeny));
}

const passwordOption = ['--password-stdin', 'read the password from standard input, instead of generating and printing one'] as const;

function userCommands(program: Command, action: CommandAction): void {
  const user = program.command('user').description('the users who sign in');
  projectCommand(user, 'create', 'create a user who can sign in at once')
    .requiredOption('--username <name>', 'unique, and not the e-mail address of another user')
    .requiredOption('--email <address>', 'unique')
    .option('--role <role>', 'type or name of the role; without it, the role of newly registered users')
    .option(...passwordOption)
    .option('--link', 'print a link by which the user sets a password, instead of a password')
    .action(action(async () => (await import('./user-command.ts')).userCreate));
  projectCommand(user, 'list', 'list the users').action(action(async () => (await import('./user-command.ts')).userList));

  const change = (name: string, description: string) =>
    projectCommand(user, name, description).argument('<user>', 'name, e-mail address or row id');
  change('set-role', 'give a user another role')
    .argument('<role>', 'type or name of the role')
    .action(action(async () => (await import('./user-command.ts')).userSetRole));
  change('set-password', 'give a user a new password, which is printed to stdout, and end all sessions')
    .option(...passwordOption)
    .action(action(async () => (await import('./user-command.ts')).userSetPassword));
  change('link', 'print a link to stdout by which a user sets a new password').action(
    action(async () => (await import('./user-command.ts')).userLink),
  );
  change('delete', 'delete a user for good; asks first')
    .option('--yes', 'do not ask')
    .action(action(async () => (await import('./user-command.ts')).userDelete));
  change('block', 'refuse every request of a user').action(action(async () => (await import('./user-command.ts')).userBlock));
  change('unblock', 'end the block of a user').action(action(async () => (await import('./user-command.ts')).userUnblock));
}

function localeCommands(program: Command, action: CommandAction): void {
  const locale = program.command('locale').description('the locales of localized types');
  projectCommand(locale, 'list', 'list the locales')
    .option('--json', 'print them as JSON')
    .action(action(async () => (await import('./locale-command.ts')).localeList));
  projectCommand(locale, 'add', 'add a locale; a running server uses it from its next request on')
    .argument('<code>', 'code of the locale: de, pt-BR, zh-Hans, …')
    .option('--name <name>', 'name that editors see; without it, the English one, such as "German (de)"')
    .action(action(async () => (await import('./locale-command.ts')).localeAdd));
  projectCommand(locale, 'remove', 'remove a locale that has no entries')
    .argument('<code>', 'code of the locale')
    .option('--delete-entries', 'delete its entries of all types with it, in one transaction')
    .action(action(async () => (await import('./locale-command.ts')).localeRemove));
  projectCommand(locale, 'default', 'make a locale the default one, for requests that name none')
    .argument('<code>', 'code of the locale')
    .action(action(async () => (await import('./locale-command.ts')).localeDefault));
}
