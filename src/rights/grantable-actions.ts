/** What rights can be granted for: content types and controllers of plugins, with actions. */
import { fileUid } from '../model/built-in-types.ts';
import type { ContentModel, ContentType } from '../model/content-model.ts';
import { collectionActions, pluginActions, singleActions } from './permission-tree.ts';
import { managementAccess, openRoles } from './rights.ts';

export interface GrantableType {
  /** `api::article.article`, `plugin::users-permissions.auth`: an action without its last word. */
  readonly key: string;
  readonly actions: readonly string[];
  /** Undefined for a controller of a plugin. */
  readonly type: ContentType | undefined;
  /** The type, where rights to the actions can be restricted: content types, users and files. */
  readonly restrictable: ContentType | undefined;
}

export type GrantableTypes = ReadonlyMap<string, GrantableType>;

/** Those that some type has. */
export const contentActions: readonly string[] = [...collectionActions, 'aggregate', 'findDraft', 'publish'];

const fileController = 'plugin::upload.content-api';

/** Content types first, in the order of the model. */
export function grantableTypesOf(model: ContentModel): GrantableTypes {
  const types = new Map<string, GrantableType>();
  for (const type of model.contentTypes.values()) {
    if (!type.routed) continue;
    const own = type.draftAndPublish ? ['findDraft', 'publish'] : [];
    const actions = [...(type.kind === 'singleType' ? singleActions : [...collectionActions, 'aggregate']), ...own];
    types.set(type.uid, { key: type.uid, type, restrictable: type, actions });
  }
  for (const [plugin, controller, actions] of pluginActions) {
    const key = `${plugin}.${controller}`;
    types.set(key, { key, type: undefined, restrictable: model.contentTypes.get(key === fileController ? fileUid : key), actions });
  }
  for (const [key, actions] of model.ownActions ?? []) types.set(key, { key, type: undefined, restrictable: undefined, actions });
  const { typeKey: management, name } = partsOf(managementAccess);
  types.set(management, { key: management, type: undefined, restrictable: undefined, actions: [name] });
  return types;
}

/** Why a role of this type cannot have the right; undefined if it can. */
export const notForRole = (action: string, role: string): string | undefined =>
  action === managementAccess && openRoles.has(role)
    ? `would let ${role === 'public' ? 'visitors' : 'everybody who registers'} give themselves every right; give it to a role of its own`
    : undefined;

/** `api::article.article.find` → the key of its type and its last word. */
export function partsOf(action: string): { readonly typeKey: string; readonly name: string } {
  const dot = action.lastIndexOf('.');
  return { typeKey: action.slice(0, Math.max(dot, 0)), name: action.slice(dot + 1) };
}

export function isGrantableAction(action: string, types: GrantableTypes): boolean {
  const { typeKey, name } = partsOf(action);
  return types.get(typeKey)?.actions.includes(name) === true;
}

/** Finds a type by its key, or by its singular or plural name where that is unique. */
export function findGrantableType(text: string, types: GrantableTypes): readonly GrantableType[] {
  const exact = types.get(text);
  if (exact !== undefined) return [exact];
  return [...types.values()].filter(({ type }) => type !== undefined && (type.singularName === text || type.pluralName === text));
}

/** All texts that `findGrantableType` finds a type for. */
export const namesOf = (types: GrantableTypes): readonly string[] =>
  [...types.values()].flatMap(({ key, type }) => (type === undefined ? [key] : [key, type.singularName, type.pluralName]));

/** Every action that can be granted to a custom API token, and that endpoints of a project can need. */
export function knownActions(model: ContentModel): ReadonlySet<string> {
  const known = new Set([...grantableTypesOf(model).values()].flatMap(({ key, actions }) => actions.map((action) => `${key}.${action}`)));
  known.delete(managementAccess);
  return known;
}
