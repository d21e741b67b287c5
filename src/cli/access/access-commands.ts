/** The commands about who may do what, as they are typed. */
import type { Command } from 'commander';
import type { ProjectOptions } from '../project/load-project.ts';
import type { PermissionsOptions } from './permissions-command.ts';
import type { UserCreateOptions } from './user-command.ts';

/** Makes the action of a command of what returns its exit code. */
type Action = <Options>(command: (options: Options) => Promise<number>) => (options: Options) => Promise<void>;

const dir = ['--dir <folder>', 'folder of the project', '.'] as const;

export function accessCommands(program: Command, action: Action): void {
  permissionsCommands(program, action);
  roleCommands(program, action);
  userCommands(program, action);
}

function permissionsCommands(program: Command, action: Action): void {
  const permissions = program.command('permissions').description('roles and rights as the file permissions.json says them');
  permissions
    .command('plan')
    .description('print what `apply` would do; exit code 3 when that is something')
    .option(...dir)
    .option('--json', 'print it as JSON')
    .action(action<PermissionsOptions>(async (options) => (await import('./permissions-command.ts')).permissionsPlan(options)));
  permissions
    .command('apply')
    .description('bring the database to what the file says, in one transaction')
    .option(...dir)
    .option('--json', 'print what was done as JSON')
    .action(action<PermissionsOptions>(async (options) => (await import('./permissions-command.ts')).permissionsApply(options)));
  permissions
    .command('export')
    .description('print what the database says as a permissions.json')
    .option(...dir)
    .action(action<ProjectOptions>(async (options) => (await import('./permissions-command.ts')).permissionsExport(options)));
}

function roleCommands(program: Command, action: Action): void {
  const role = program.command('role').description('roles and what they may do');
  role
    .command('list')
    .description('list the roles')
    .option(...dir)
    .action(action<ProjectOptions>(async (options) => (await import('./role-command.ts')).roleList(options)));
  const change = (name: 'allow' | 'deny', description: string) =>
    role
      .command(name)
      .description(description)
      .argument('<role>', 'type or name of the role: public, authenticated, …')
      .argument('<type>', 'uid, singular or plural name of a content type, or a controller such as plugin::users-permissions.user')
      .argument('<action...>', 'find, findOne, create, update, delete, findDraft, publish; for controllers their own')
      .option(...dir)
      .action(async (roleName: string, type: string, actions: readonly string[], options: ProjectOptions) =>
        action<ProjectOptions>(async (given) => {
          const { roleAllow, roleDeny } = await import('./role-command.ts');
          return (name === 'allow' ? roleAllow : roleDeny)({ role: roleName, type, actions }, given);
        })(options),
      );
  change('allow', 'let a role do something');
  change('deny', 'take that away again');
}

function userCommands(program: Command, action: Action): void {
  const user = program.command('user').description('the users who sign in');
  user
    .command('create')
    .description('make a user who can sign in at once')
    .requiredOption('--username <name>', 'unique, and not the e-mail address of somebody else')
    .requiredOption('--email <address>', 'unique')
    .option('--role <role>', 'type or name of the role; the one of who registers if not given')
    .option('--password-stdin', 'read the password from standard input, instead of making and printing one')
    .option(...dir)
    .action(action<UserCreateOptions>(async (options) => (await import('./user-command.ts')).userCreate(options)));
  user
    .command('list')
    .description('list the users')
    .option(...dir)
    .action(action<ProjectOptions>(async (options) => (await import('./user-command.ts')).userList(options)));
  for (const [name, blocked, description] of [
    ['block', true, 'refuse every request of a user'],
    ['unblock', false, 'let a user in again'],
  ] as const) {
    user
      .command(name)
      .description(description)
      .argument('<user>', 'name, e-mail address or row id')
      .option(...dir)
      .action(async (who: string, options: ProjectOptions) =>
        action<ProjectOptions>(async (given) => (await import('./user-command.ts')).userBlock(who, blocked, given))(options),
      );
  }
}
