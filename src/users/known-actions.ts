import type { ContentModel } from '../model/content-model.ts';
import { permissionTree } from './permission-tree.ts';

/** Actions that only Lectern knows, on types with drafts. */
const draftActions = ['findDraft', 'publish'];

/** Every action that a role or a custom API token of the project can be given. */
export function knownActions(model: ContentModel): ReadonlySet<string> {
  const actions = new Set<string>();
  for (const [owner, { controllers }] of Object.entries(permissionTree(model, []))) {
    for (const [controller, names] of Object.entries(controllers)) {
      for (const name of Object.keys(names)) actions.add(`${owner}.${controller}.${name}`);
    }
  }
  for (const type of model.contentTypes.values()) {
    if (type.routed && type.draftAndPublish) for (const name of draftActions) actions.add(`${type.uid}.${name}`);
  }
  return actions;
}
