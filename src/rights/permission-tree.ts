/** Every action of the Content API, as the role editor shows them: owner → controller → action. */
import type { ContentModel } from '../model/content-model.ts';

interface Switch {
  readonly enabled: boolean;
  readonly policy: '';
}
export type PermissionTree = Record<string, { controllers: Record<string, Record<string, Switch>> }>;

export const collectionActions = ['find', 'findOne', 'create', 'update', 'delete'];
export const singleActions = ['find', 'update', 'delete'];

export const pluginActions: readonly (readonly [plugin: string, controller: string, actions: readonly string[]])[] = [
  ['plugin::content-type-builder', 'components', ['getComponents', 'getComponent']],
  ['plugin::content-type-builder', 'content-types', ['getContentTypes', 'getContentType']],
  ['plugin::email', 'email', ['send']],
  ['plugin::upload', 'content-api', ['find', 'findPage', 'findOne', 'destroy', 'upload']],
  ['plugin::i18n', 'locales', ['listLocales']],
  [
    'plugin::users-permissions',
    'auth',
    [
      'callback',
      'changePassword',
      'resetPassword',
      'refresh',
      'logout',
      'getSessions',
      'revokeSession',
      'connect',
      'forgotPassword',
      'register',
      'emailConfirmation',
      'sendEmailConfirmation',
    ],
  ],
  ['plugin::users-permissions', 'user', ['create', 'update', 'find', 'findOne', 'count', 'destroy', 'me']],
  ['plugin::users-permissions', 'role', ['createRole', 'findOne', 'find', 'updateRole', 'deleteRole']],
  ['plugin::users-permissions', 'permissions', ['getPermissions']],
];

/** Actions in the database may be `api::x.constructor.entries`, which must change no prototype. */
const withoutPrototype = (): Record<string, never> => Object.create(null);

/** Whether the tree can have the action: `endpoint::orders.refund` has no controller. */
export const isInTree = (action: string): boolean => action.split('.').length === 3;

/** The tree with the `granted` actions switched on, including those that only the database has. */
export function permissionTree(model: ContentModel, granted: Iterable<string>): PermissionTree {
  const tree: PermissionTree = withoutPrototype();
  const set = (owner: string, controller: string, action: string, enabled: boolean) => {
    tree[owner] ??= { controllers: withoutPrototype() };
    const { controllers } = tree[owner];
    controllers[controller] ??= withoutPrototype();
    controllers[controller][action] = { enabled, policy: '' };
  };
  const types = [...model.contentTypes.values()].filter((type) => type.routed).sort((a, b) => (a.uid < b.uid ? -1 : 1));
  for (const type of types) {
    const [owner = type.uid, controller = type.singularName] = type.uid.split('.');
    for (const action of type.kind === 'singleType' ? singleActions : collectionActions) set(owner, controller, action, false);
  }
  for (const [owner, controller, actions] of pluginActions) for (const action of actions) set(owner, controller, action, false);
  for (const action of granted) {
    const [owner, controller, name] = action.split('.');
    if (owner !== undefined && controller !== undefined && name !== undefined) set(owner, controller, name, true);
  }
  return tree;
}
