/** `"api::*"`: the rights of a role to every content type of the project, also to those that are
 *  added later. */
import type { ContentModel } from '../model/content-model.ts';
import { contentActions, type GrantableType } from '../rights/grantable-actions.ts';
import type { StoredRestriction } from '../rights/role-rights-store.ts';
import { isObject } from '../text/json.ts';
import { orMeant } from '../text/nearest.ts';
import { expandPreset, type Preset, withoutDrafts } from './presets.ts';

export const everyType = 'api::*';

export interface EveryTypeParts {
  /** Content types that the role does not name. */
  readonly types: readonly GrantableType[];
  readonly model: ContentModel;
  /** `path` continues that of the key. */
  readonly report: (path: string, problem: string) => void;
}

interface DeclaredRight {
  readonly action: string;
  readonly limit: StoredRestriction;
  readonly preset: Preset | undefined;
}

export function rightsToEveryType(written: unknown, { types, model, report }: EveryTypeParts): readonly DeclaredRight[] {
  return actionsIn(written, report).flatMap(({ name, preset, path }) => {
    const problems = new Set<string>();
    const rights = types.flatMap(({ key, type, actions }): DeclaredRight[] => {
      if (type === undefined || !actions.includes(name)) return [];
      const action = `${key}.${name}`;
      if (preset === undefined) return [{ action, limit: {}, preset }];
      if (!type.draftAndPublish) return withoutDrafts[preset] === 'every row' ? [{ action, limit: {}, preset: undefined }] : [];
      const expanded = expandPreset({ preset }, { type, action: name, model });
      if ('problem' in expanded) problems.add(expanded.problem);
      return 'where' in expanded ? [{ action, limit: expanded, preset: { preset } }] : [];
    });
    for (const problem of problems) report(path, problem);
    return rights;
  });
}

interface WrittenAction {
  readonly name: string;
  readonly preset: keyof typeof withoutDrafts | undefined;
  readonly path: string;
}

const presets = Object.keys(withoutDrafts) as (keyof typeof withoutDrafts)[];

function actionsIn(written: unknown, report: EveryTypeParts['report']): readonly WrittenAction[] {
  const isAction = (name: unknown, path: string): name is string => {
    if (typeof name === 'string' && contentActions.includes(name)) return true;
    const meant = typeof name === 'string' ? orMeant(name, contentActions) : '';
    report(path, `${JSON.stringify(name)} is not an action of content types; there are ${contentActions.join(', ')}${meant}`);
    return false;
  };
  if (Array.isArray(written))
    return [...new Set(written)].flatMap((name: unknown, index) =>
      isAction(name, `[${index}]`) ? [{ name, preset: undefined, path: `[${index}]` }] : [],
    );
  if (!isObject(written)) {
    report('', 'has to be a list of actions, or an object such as {"find": true, "create": {"preset": "drafts-only"}}');
    return [];
  }
  return Object.entries(written).flatMap(([name, value]): WrittenAction[] => {
    const path = `.${name}`;
    if (!isAction(name, path) || value === false) return [];
    if (value === true) return [{ name, preset: undefined, path }];
    const preset = isObject(value) && Object.keys(value).length === 1 ? presets.find((each) => each === value.preset) : undefined;
    if (preset !== undefined) return [{ name, preset, path }];
    report(path, `can only be true, false, or one of the presets ${presets.join(', ')}; name the type to restrict it in another way`);
    return [];
  });
}
