/** What archives contain: everything but the panel's accounts, tokens, sessions and secrets. */
import { localeUid, roleUid, userUid } from '../model/built-in-types.ts';
import type { ContentModel, ContentType, RelationAttribute, ScalarAttribute, Schema, Uid } from '../model/content-model.ts';

export const permissionUid: Uid = 'plugin::users-permissions.permission';
export const folderUid: Uid = 'plugin::upload.folder';

/** Strapi's own archives leave the same types out. */
export const isArchived = (uid: Uid): boolean => !uid.startsWith('admin::');

/** Every database has rows of these types from the start, so they are no content. */
const initialTypes: ReadonlySet<Uid> = new Set([roleUid, permissionUid, localeUid]);
export const isContent = (uid: Uid): boolean => isArchived(uid) && !initialTypes.has(uid);

export const archivedTypes = (model: ContentModel): readonly ContentType[] =>
  [...model.contentTypes.values()].filter(({ uid }) => isArchived(uid));
export const archivedSchemas = (model: ContentModel): readonly Schema[] => [...archivedTypes(model), ...model.components.values()];

const secretsOfUsers: ReadonlySet<string> = new Set(['resetPasswordToken', 'confirmationToken']);

/** Whether an export omits the attribute: a password's hash, or a token that signs somebody in. */
export const isSecret = (schema: Schema, { name, type }: ScalarAttribute): boolean =>
  type === 'password' || (schema.uid === userUid && secretsOfUsers.has(name));

/** The scalar attributes of a row, without its id. */
export const scalarsOf = (schema: Schema): readonly ScalarAttribute[] =>
  [...schema.attributes.values()].filter(
    (attribute): attribute is ScalarAttribute => attribute.kind === 'scalar' && attribute.name !== 'id',
  );

export const relationsOf = (schema: Schema): readonly RelationAttribute[] =>
  [...schema.attributes.values()].filter((attribute): attribute is RelationAttribute => attribute.kind === 'relation');

const openSettings = /^plugin_(?!users-permissions_grant$)/;
/** Whether an archive has the setting: those of plugins, without secrets of sign-in providers. */
export const isArchivedSetting = (key: string): boolean => openSettings.test(key);
/** A setting with the row id of a folder. */
export const apiFolderSetting = 'plugin_upload_api-folder';
