/** Actions and what they are done to, in words. */
import { say, type WordKey } from '../words/say.ts';
import type { Grantable } from './manage.ts';
import { nameWords } from './restriction-words.ts';

export const typeActions = ['find', 'findOne', 'findDraft', 'aggregate', 'create', 'update', 'delete', 'publish'] as const;

const ofTypes: Readonly<Record<string, WordKey>> = {
  find: 'people.find',
  findOne: 'people.findOne',
  findDraft: 'people.findDraft',
  aggregate: 'people.aggregate',
  create: 'people.create',
  update: 'people.update',
  delete: 'people.delete',
  publish: 'people.publish',
};

/** In the order in which they are shown; those of the project follow. */
const controllers: Readonly<Record<string, WordKey>> = {
  'lectern::management': 'people.management',
  'plugin::upload.content-api': 'people.files',
  'plugin::users-permissions.user': 'people.users',
  'plugin::users-permissions.role': 'people.roles',
  'plugin::users-permissions.auth': 'people.signingIn',
  'plugin::users-permissions.permissions': 'people.permissions',
  'plugin::i18n.locales': 'people.locales',
  'plugin::email.email': 'people.mails',
  'plugin::content-type-builder.components': 'people.componentSchemas',
  'plugin::content-type-builder.content-types': 'people.typeSchemas',
};

const ofControllers: Readonly<Record<string, WordKey>> = {
  'lectern::management.access': 'people.managementAccess',
  'plugin::upload.content-api.destroy': 'people.delete',
  'plugin::upload.content-api.upload': 'people.upload',
  'plugin::upload.content-api.findPage': 'people.findPage',
  'plugin::users-permissions.user.destroy': 'people.delete',
  'plugin::users-permissions.user.me': 'people.ownProfile',
  'plugin::users-permissions.user.count': 'people.count',
  'plugin::users-permissions.auth.callback': 'people.signIn',
  'plugin::users-permissions.auth.connect': 'people.connect',
  'plugin::users-permissions.auth.logout': 'people.logout',
  'plugin::users-permissions.auth.refresh': 'people.refresh',
  'plugin::users-permissions.auth.register': 'people.register',
  'plugin::users-permissions.auth.changePassword': 'people.changePassword',
  'plugin::users-permissions.auth.forgotPassword': 'people.forgotPassword',
  'plugin::users-permissions.auth.resetPassword': 'people.resetPassword',
  'plugin::users-permissions.auth.getSessions': 'people.getSessions',
  'plugin::users-permissions.auth.revokeSession': 'people.revokeSession',
  'plugin::users-permissions.auth.emailConfirmation': 'people.emailConfirmation',
  'plugin::users-permissions.auth.sendEmailConfirmation': 'people.sendEmailConfirmation',
  'plugin::users-permissions.role.createRole': 'people.create',
  'plugin::users-permissions.role.updateRole': 'people.update',
  'plugin::users-permissions.role.deleteRole': 'people.delete',
  'plugin::users-permissions.permissions.getPermissions': 'people.find',
  'plugin::content-type-builder.components.getComponents': 'people.find',
  'plugin::content-type-builder.components.getComponent': 'people.findOne',
  'plugin::content-type-builder.content-types.getContentTypes': 'people.find',
  'plugin::content-type-builder.content-types.getContentType': 'people.findOne',
  'plugin::i18n.locales.listLocales': 'people.find',
  'plugin::email.email.send': 'people.send',
};

export function actionWords(key: string, name: string): string {
  const known = ofControllers[`${key}.${name}`] ?? ofTypes[name];
  return known === undefined ? nameWords(name) : say(known);
}

/** The name of a type, or what a controller is about. */
export function subjectWords(key: string, grantable: Grantable): string {
  const type = grantable.types.find(({ uid }) => uid === key);
  if (type !== undefined) return type.displayName;
  const known = controllers[key];
  return known === undefined ? key : say(known);
}

/** Those that people know first. */
export function inOrder(list: Grantable['controllers']): Grantable['controllers'] {
  const known = Object.keys(controllers);
  const place = (key: string) => (known.includes(key) ? known.indexOf(key) : known.length);
  return list.toSorted((a, b) => place(a.key) - place(b.key));
}

/** `api::article.article.find` → `Article: list` */
export function rightWords(action: string, grantable: Grantable): string {
  const dot = action.lastIndexOf('.');
  const key = action.slice(0, dot);
  return `${subjectWords(key, grantable)}: ${actionWords(key, action.slice(dot + 1))}`;
}
