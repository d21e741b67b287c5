/** One component in a form: a head with a summary, and its fields while it is open. */
import { useComputed } from '@preact/signals';
import { useCallback } from 'preact/hooks';
import { groupsOf } from '../../document/groups.ts';
import type { ComponentValue } from '../../document/values.ts';
import { componentOf, type DescribedAttribute } from '../../server/me.ts';
import { say } from '../../words/say.ts';
import { Field } from '../field.tsx';
import { fieldId, isSamePath, isWithin, type Path, useForm } from '../form-context.ts';
import { Icon } from '../icon.tsx';
import { memo } from '../memo.ts';
import { Menu } from '../menu.tsx';
import { Grip, type Handlers, MoveButtons } from '../reorder.tsx';
import { entryTitle } from './entry-title.ts';

/** What can be done with the entries of a list; the same object each time. */
export interface EntryActions {
  readonly toggle: (key: string) => void;
  readonly change: (key: string, name: string, value: unknown) => void;
  readonly copy: (key: string) => void;
  readonly remove: (key: string) => void;
  /** Only of lists. */
  readonly list?: {
    readonly duplicate: (key: string) => void;
    readonly handlers: Handlers;
  };
}

interface Props {
  readonly entry: ComponentValue;
  readonly uid: string;
  readonly entryKey: string;
  readonly path: Path;
  /** Undefined for a component that is no list. */
  readonly index: number | undefined;
  readonly count: number;
  readonly inZone: boolean;
  readonly isFull: boolean;
  readonly isOpen: boolean;
  readonly isReadOnly: boolean;
  /** Where a dragged entry would land. */
  readonly mark: string;
  readonly actions: EntryActions;
}

export const Entry = memo(EntryOnce, (before, after) =>
  (Object.keys(after) as (keyof Props)[]).every((name) =>
    name === 'path' ? isSamePath(before.path, after.path) : before[name] === after[name],
  ),
);

/** `Quote`, `Step 2`; with what is in it: `Step 2: Knead`. */
export function entryName(entry: ComponentValue, uid: string, index: number | undefined, inZone: boolean): string {
  const component = componentOf(uid);
  const title = entryTitle(entry, component);
  const label = component?.label ?? uid;
  const head = index === undefined || inZone ? label : `${label} ${index + 1}`;
  return title === '' ? head : `${head}: ${title}`;
}

function EntryOnce({ entry, uid, entryKey, path, index, count, inZone, isFull, isOpen, isReadOnly, mark, actions }: Props) {
  const form = useForm();
  const id = fieldId(form, path);
  const key = path.join('\n');
  const component = componentOf(uid);
  const name = entryName(entry, uid, index, inZone);
  const title = entryTitle(entry, component);
  const wrong = useComputed(() => form.problems.value.filter((each) => isWithin(each.path, path)).length);
  const own = useComputed(() =>
    form.problems.value
      .filter((each) => each.path.join('\n') === key)
      .map(({ message }) => message)
      .join(' '),
  );
  const change = useCallback((attribute: string, value: unknown) => actions.change(entryKey, attribute, value), [entryKey, actions]);
  const { list } = actions;
  const isInList = list !== undefined && index !== undefined;
  return (
    <li class={['entry', isOpen ? 'is-open' : '', wrong.value > 0 ? 'is-wrong' : '', mark].filter(Boolean).join(' ')}>
      <div class="entry-head">
        {isInList && !isReadOnly && count > 1 && <Grip handlers={list.handlers} index={index} count={count} name={name} />}
        <button
          type="button"
          class="entry-toggle"
          id={id}
          aria-expanded={isOpen}
          aria-controls={isOpen ? `${id}--body` : undefined}
          aria-describedby={own.value === '' ? undefined : `${id}--problem`}
          onClick={() => actions.toggle(entryKey)}
        >
          <Icon name="fold" />
          <span class="entry-label">{index === undefined || inZone ? (component?.label ?? uid) : index + 1}</span>
          <span class="entry-title soft" dir="auto">
            {title === '' ? say('fields.emptyEntry') : title}
          </span>
          {wrong.value > 0 && <span class="chip entry-wrong">{say('document.problems', { count: wrong.value })}</span>}
        </button>
        {!isReadOnly && (
          <span class="entry-buttons">
            {isInList && count > 1 && <MoveButtons handlers={list.handlers} index={index} count={count} name={name} />}
            <Menu label={say('fields.more', { name })}>
              {isInList && !isFull && (
                <button type="button" onClick={() => list.duplicate(entryKey)}>
                  {say('fields.duplicate')}
                </button>
              )}
              <button type="button" onClick={() => actions.copy(entryKey)}>
                {say('fields.copy')}
              </button>
              <button type="button" class="danger" onClick={() => actions.remove(entryKey)}>
                {say('fields.remove')}
              </button>
            </Menu>
          </span>
        )}
      </div>
      {own.value !== '' && (
        <p id={`${id}--problem`} class="field-problem problem">
          {own.value}
        </p>
      )}
      {isOpen && (
        <div id={`${id}--body`} class="entry-body">
          {component === undefined ? (
            <p class="soft">{say('fields.unknownComponent', { uid })}</p>
          ) : (
            groupsOf(component, component.attributes.filter(isShown)).map(({ name: group, label, attributes }) => (
              <section key={group} class="fields" aria-label={label}>
                {label !== undefined && <h3>{label}</h3>}
                {attributes.map((attribute) => (
                  <Field
                    key={attribute.name}
                    attribute={attribute}
                    value={entry[attribute.name]}
                    change={change}
                    path={[...path, attribute.name]}
                    isReadOnly={isReadOnly || !mayWrite(attribute, entry)}
                  />
                ))}
              </section>
            ))
          )}
        </div>
      )}
    </li>
  );
}

const isShown = ({ canRead, canCreate, canUpdate, isSystem }: DescribedAttribute) => !isSystem && (canRead || canCreate || canUpdate);

const mayWrite = ({ canCreate, canUpdate }: DescribedAttribute, entry: ComponentValue): boolean =>
  entry.id === undefined ? canCreate : canUpdate;
