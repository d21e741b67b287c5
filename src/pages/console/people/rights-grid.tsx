/** Rights as a table, types by actions, and below it those to everything else. */
import { say } from '../words/say.ts';
import { actionWords, inOrder, subjectWords, typeActions } from './action-words.ts';
import type { Grantable } from './manage.ts';
import { restrictionWords } from './restriction-words.ts';
import { managementKey, type Right, type Rights } from './rights.ts';

interface RightsGridProps {
  readonly grantable: Grantable;
  readonly rights: Rights;
  /** Undefined where nothing can be changed. */
  readonly change: ((rights: Rights) => void) | undefined;
  /** What was granted before: a right that is taken and given again keeps its restriction. */
  readonly before: Rights;
  /** Whether the right to these pages can be given. */
  readonly canManage: boolean;
}

export function RightsGrid({ grantable, rights, change, before, canManage }: RightsGridProps) {
  const set = (action: string, isGiven: boolean) => {
    const next = new Map<string, Right>(rights);
    if (isGiven) next.set(action, before.get(action) ?? true);
    else next.delete(action);
    change?.(next);
  };
  const box = (key: string, name: string) => (
    <Box key={name} subject={subjectWords(key, grantable)} typeKey={key} name={name} rights={rights} set={change && set} />
  );
  const others = inOrder(grantable.controllers).filter(({ key }) => canManage || key !== managementKey);
  return (
    <>
      {grantable.types.length > 0 && (
        <table class="people-grid">
          <thead>
            <tr>
              <th scope="col">{say('people.type')}</th>
              {typeActions.map((name) => (
                <th key={name} scope="col">
                  {actionWords('', name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {grantable.types.map(({ uid, displayName, actions }) => (
              <tr key={uid}>
                <th scope="row">
                  {displayName}
                  <Limits typeKey={uid} actions={actions} rights={rights} />
                </th>
                {typeActions.map((name) => (
                  <td key={name}>{actions.includes(name) ? box(uid, name) : null}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <h3>{say('people.otherRights')}</h3>
      <div class="people-others">
        {others.map(({ key, actions }) => (
          <fieldset key={key}>
            <legend>{subjectWords(key, grantable)}</legend>
            {actions.map((name) => box(key, name))}
            <Limits typeKey={key} actions={actions} rights={rights} />
          </fieldset>
        ))}
      </div>
    </>
  );
}

interface BoxProps {
  readonly subject: string;
  readonly typeKey: string;
  readonly name: string;
  readonly rights: Rights;
  readonly set: ((action: string, isGiven: boolean) => void) | undefined;
}

function Box({ subject, typeKey, name, rights, set }: BoxProps) {
  const action = `${typeKey}.${name}`;
  const right = rights.get(action);
  const words = actionWords(typeKey, name);
  const isLimited = right !== undefined && right !== true;
  return (
    <label class={isLimited ? 'check is-limited' : 'check'}>
      <input
        type="checkbox"
        checked={right !== undefined}
        disabled={set === undefined}
        aria-label={isLimited ? `${words} (${subject}): ${restrictionWords(right)}` : `${words} (${subject})`}
        onChange={(event) => set?.(action, event.currentTarget.checked)}
      />
      <span>{words}</span>
    </label>
  );
}

/** The restrictions of a row. Actions with the same one are named together. */
function Limits({ typeKey, actions, rights }: { readonly typeKey: string; readonly actions: readonly string[]; readonly rights: Rights }) {
  const named = new Map<string, string[]>();
  for (const name of actions) {
    const right = rights.get(`${typeKey}.${name}`);
    if (right === undefined || right === true) continue;
    const words = restrictionWords(right);
    named.set(words, [...(named.get(words) ?? []), actionWords(typeKey, name)]);
  }
  return (
    <>
      {[...named].map(([words, names]) => (
        <span key={words} class="people-limit">
          {names.join(', ')}: {words}
        </span>
      ))}
    </>
  );
}
