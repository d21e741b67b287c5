/** The content types that every Strapi 5 project has without a schema file, in the form of schema
 *  files. Attribute order is the column order of their tables. */

import type { JsonObject } from '../text/json.ts';
import type { Uid } from './content-model.ts';

export const fileUid: Uid = 'plugin::upload.file';
export const adminUserUid: Uid = 'admin::user';
export const userUid: Uid = 'plugin::users-permissions.user';
export const roleUid: Uid = 'plugin::users-permissions.role';
export const localeUid: Uid = 'plugin::i18n.locale';

const string = { type: 'string' } as const;
const text = { type: 'text' } as const;
const json = { type: 'json' } as const;
const integer = { type: 'integer' } as const;
const datetime = { type: 'datetime' } as const;
const required = { required: true } as const;
const hidden = { private: true, searchable: false } as const;

interface BuiltInType {
  readonly uid: Uid;
  readonly schema: JsonObject;
}

const builtIn = (uid: Uid, collectionName: string, singularName: string, displayName: string, attributes: JsonObject): BuiltInType => ({
  uid,
  schema: { kind: 'collectionType', collectionName, info: { singularName, pluralName: `${singularName}s`, displayName }, attributes },
});

export const builtInTypes: readonly BuiltInType[] = [
  builtIn(fileUid, 'files', 'file', 'File', {
    name: { ...string, ...required },
    alternativeText: text,
    caption: text,
    focalPoint: json,
    width: integer,
    height: integer,
    formats: json,
    hash: { ...string, ...required },
    ext: string,
    mime: { ...string, ...required },
    size: { type: 'decimal', ...required },
    url: { ...text, ...required },
    previewUrl: text,
    provider: { ...string, ...required },
    provider_metadata: json,
    related: { type: 'relation', relation: 'morphToMany' },
    folder: { type: 'relation', relation: 'manyToOne', target: 'plugin::upload.folder', inversedBy: 'files', private: true },
    folderPath: { ...string, ...required, minLength: 1, ...hidden },
  }),
  builtIn('plugin::upload.folder', 'upload_folders', 'folder', 'Folder', {
    name: { ...string, ...required, minLength: 1 },
    pathId: { ...integer, ...required, unique: true },
    parent: { type: 'relation', relation: 'manyToOne', target: 'plugin::upload.folder', inversedBy: 'children' },
    children: { type: 'relation', relation: 'oneToMany', target: 'plugin::upload.folder', mappedBy: 'parent' },
    files: { type: 'relation', relation: 'oneToMany', target: fileUid, mappedBy: 'folder' },
    path: { ...string, ...required, minLength: 1 },
  }),
  builtIn(localeUid, 'i18n_locale', 'locale', 'Locale', {
    name: string,
    code: { ...string, unique: true },
  }),
  builtIn('plugin::users-permissions.permission', 'up_permissions', 'permission', 'Permission', {
    action: { ...string, ...required },
    role: { type: 'relation', relation: 'manyToOne', target: roleUid, inversedBy: 'permissions' },
  }),
  builtIn(roleUid, 'up_roles', 'role', 'Role', {
    name: { ...string, ...required, minLength: 3 },
    description: string,
    type: { ...string, unique: true },
    permissions: { type: 'relation', relation: 'oneToMany', target: 'plugin::users-permissions.permission', mappedBy: 'role' },
    users: { type: 'relation', relation: 'oneToMany', target: userUid, mappedBy: 'role' },
  }),
  builtIn(userUid, 'up_users', 'user', 'User', {
    username: { ...string, ...required, minLength: 3, unique: true },
    email: { type: 'email', ...required, minLength: 6 },
    provider: string,
    password: { type: 'password', minLength: 6, ...hidden },
    resetPasswordToken: { ...string, ...hidden },
    confirmationToken: { ...string, ...hidden },
    confirmed: { type: 'boolean', default: false },
    blocked: { type: 'boolean', default: false },
    role: { type: 'relation', relation: 'manyToOne', target: roleUid, inversedBy: 'users' },
  }),
  builtIn('admin::permission', 'admin_permissions', 'permission', 'Permission', {
    action: { ...string, ...required, minLength: 1 },
    actionParameters: { ...json, default: {} },
    subject: { ...string, minLength: 1 },
    properties: { ...json, default: {} },
    conditions: { ...json, default: [] },
    role: { type: 'relation', relation: 'manyToOne', target: 'admin::role', inversedBy: 'permissions' },
    apiToken: { type: 'relation', relation: 'manyToOne', target: 'admin::api-token', inversedBy: 'adminPermissions' },
  }),
  // Callers see it as `createdBy` and `updatedBy`, without the attributes that are private here.
  builtIn(adminUserUid, 'admin_users', 'user', 'User', {
    firstname: { ...string, minLength: 1 },
    lastname: { ...string, minLength: 1 },
    username: string,
    email: { type: 'email', ...required, minLength: 6, unique: true, private: true },
    password: { type: 'password', minLength: 6, ...hidden },
    resetPasswordToken: { ...string, ...hidden },
    resetPasswordTokenExpiresAt: { ...datetime, ...hidden },
    registrationToken: { ...string, ...hidden },
    isActive: { type: 'boolean', default: false, private: true },
    roles: { type: 'relation', relation: 'manyToMany', target: 'admin::role', inversedBy: 'users', private: true },
    apiTokens: { type: 'relation', relation: 'oneToMany', target: 'admin::api-token', mappedBy: 'adminUserOwner', private: true },
    blocked: { type: 'boolean', default: false, private: true },
    preferedLanguage: { ...string, searchable: false },
  }),
  builtIn('admin::role', 'admin_roles', 'role', 'Role', {
    name: { ...string, ...required, minLength: 1, unique: true },
    code: { ...string, ...required, minLength: 1, unique: true },
    description: string,
    users: { type: 'relation', relation: 'manyToMany', target: adminUserUid, mappedBy: 'roles' },
    permissions: { type: 'relation', relation: 'oneToMany', target: 'admin::permission', mappedBy: 'role' },
  }),
  builtIn('admin::api-token', 'strapi_api_tokens', 'api-token', 'API token', {
    name: { ...string, ...required, minLength: 1, unique: true },
    description: { ...string, minLength: 1, default: '' },
    kind: { type: 'enumeration', enum: ['content-api', 'admin'], ...required, default: 'content-api' },
    type: { type: 'enumeration', enum: ['read-only', 'full-access', 'custom'], default: 'read-only' },
    accessKey: { ...string, ...required, minLength: 1, ...hidden },
    encryptedKey: { ...text, minLength: 1, ...hidden },
    lastUsedAt: datetime,
    permissions: { type: 'relation', relation: 'oneToMany', target: 'admin::api-token-permission', mappedBy: 'token' },
    adminPermissions: { type: 'relation', relation: 'oneToMany', target: 'admin::permission', mappedBy: 'apiToken' },
    adminUserOwner: { type: 'relation', relation: 'manyToOne', target: adminUserUid, inversedBy: 'apiTokens' },
    expiresAt: datetime,
    lifespan: { type: 'biginteger' },
  }),
  builtIn('admin::api-token-permission', 'strapi_api_token_permissions', 'api-token-permission', 'API token permission', {
    action: { ...string, ...required, minLength: 1 },
    token: { type: 'relation', relation: 'manyToOne', target: 'admin::api-token', inversedBy: 'permissions' },
  }),
  builtIn('admin::session', 'strapi_sessions', 'session', 'Session', {
    userId: { ...string, ...required, ...hidden },
    sessionId: { ...string, ...required, unique: true, ...hidden },
    childId: { ...string, ...hidden },
    deviceId: { ...string, ...required, ...hidden },
    origin: { ...string, ...required, ...hidden },
    expiresAt: { ...datetime, ...required, ...hidden },
    absoluteExpiresAt: { ...datetime, ...hidden },
    status: { ...string, ...hidden },
    type: { ...string, ...hidden },
    metadata: { ...json, ...hidden },
  }),
];
