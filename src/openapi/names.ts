/** Names of schemas, operations and tags. They depend on the type alone. */
import { adminUserUid, fileUid, localeUid, roleUid, userUid } from '../model/built-in-types.ts';
import type { ContentType, Schema } from '../model/content-model.ts';

/** `blog-post` → `BlogPost`. */
const pascalCase = (text: string): string =>
  text
    .split(/[^A-Za-z\d]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

const builtIn: ReadonlyMap<string, string> = new Map([
  [fileUid, 'UploadFile'],
  [userUid, 'UsersPermissionsUser'],
  [roleUid, 'UsersPermissionsRole'],
  [localeUid, 'Locale'],
  [adminUserUid, 'AdminUser'],
]);

/** `api::article.article` → `Article`, `shared.seo` → `SharedSeoComponent`. */
export function nameOf(schema: Schema): string {
  if (schema.kind === 'component') return `${pascalCase(schema.uid)}Component`;
  return builtIn.get(schema.uid) ?? pascalCase(schema.routed ? schema.singularName : schema.uid);
}

/** `articles` → `Articles`; a single type has the same name for both. */
export const pluralNameOf = (type: ContentType): string => pascalCase(type.kind === 'singleType' ? type.singularName : type.pluralName);
