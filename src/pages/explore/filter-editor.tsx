/** Conditions in groups: all of them, or any of them, must hold. */
import type { DescribedAttribute, DescribedModel } from '../../http/site/explore/described-model.ts';
import { labelOf, operatorsOf, valuesOf } from './operators.ts';
import { PathSelect } from './path-select.tsx';
import { problemAt } from './problems.ts';
import { attributeAt, type Condition, emptyGroup, type Group, newId } from './query.ts';

interface GroupProps {
  readonly model: DescribedModel;
  readonly uid: string | undefined;
  readonly group: Group;
  /** For the names of the controls: `Filter`, `author: filter`. */
  readonly label: string;
  readonly onChange: (group: Group) => void;
  readonly onRemove?: () => void;
}

/** Groups within groups: more would not fit a phone, and no query needs them. */
const deepest = 3;

export function GroupEditor({ model, uid, group, label, onChange, onRemove, depth = 0 }: GroupProps & { readonly depth?: number }) {
  const change = (items: Group['items']) => onChange({ ...group, items });
  const replace = (item: Group | Condition) => change(group.items.map((each) => (each.id === item.id ? item : each)));
  const remove = (id: number) => change(group.items.filter((each) => each.id !== id));
  const hasJoin = group.items.length > 1 || depth > 0;
  return (
    <fieldset class={depth === 0 ? 'group' : 'group inner'} aria-label={depth === 0 ? label : `${label}: group`}>
      {hasJoin && (
        <div class="row">
          <select
            aria-label={`${label}: how conditions are joined`}
            value={group.join}
            onChange={(event) => onChange({ ...group, join: event.currentTarget.value === '$or' ? '$or' : '$and' })}
          >
            <option value="$and">all of these hold</option>
            <option value="$or">any of these holds</option>
          </select>
          {onRemove !== undefined && (
            <button type="button" class="quiet" onClick={onRemove} aria-label={`${label}: remove the group`}>
              ✕
            </button>
          )}
        </div>
      )}
      {group.items.map((item, index) =>
        item.kind === 'group' ? (
          <GroupEditor
            key={item.id}
            {...{ model, uid, label: `${label} ${index + 1}`, group: item, depth: depth + 1 }}
            onChange={replace}
            onRemove={() => remove(item.id)}
          />
        ) : (
          <ConditionEditor
            key={item.id}
            {...{ model, uid, label: `${label} ${index + 1}`, condition: item }}
            onChange={replace}
            onRemove={() => remove(item.id)}
          />
        ),
      )}
      <div class="row">
        <button
          type="button"
          onClick={() => change([...group.items, { kind: 'condition', id: newId(), path: [], operator: '$eq', value: '' }])}
          aria-label={`${label}: add a condition`}
        >
          + condition
        </button>
        {depth < deepest && (
          <button
            type="button"
            class="quiet"
            onClick={() => change([...group.items, emptyGroup('$or')])}
            aria-label={`${label}: add a group`}
          >
            + group
          </button>
        )}
      </div>
    </fieldset>
  );
}

function ConditionEditor(props: {
  readonly model: DescribedModel;
  readonly uid: string | undefined;
  readonly condition: Condition;
  readonly label: string;
  readonly onChange: (condition: Condition) => void;
  readonly onRemove: () => void;
}) {
  const { model, uid, condition, label, onChange, onRemove } = props;
  const { path, operator, value } = condition;
  const attribute = attributeAt(model, uid, path);
  const operators = operatorsOf(attribute);
  const all = operators.includes(operator) ? operators : [operator, ...operators];
  const problem = path.length === 0 ? undefined : problemAt(`[${path.join('][')}][${operator}]`);
  const changePath = (next: readonly string[]) => {
    const chosen = attributeAt(model, uid, next);
    const offered = operatorsOf(chosen);
    // A relation is mostly on the way to one of its attributes.
    const isKept = chosen?.kind !== 'scalar' || offered.includes(operator);
    onChange({ ...condition, path: next, operator: isKept ? operator : (offered[0] ?? '$eq') });
  };
  return (
    <div class="row condition">
      <PathSelect {...{ model, uid, path, label, mayEndAtRelation: true }} onChange={changePath} />
      <select
        aria-label={`${label}: operator`}
        value={operator}
        onChange={(event) => onChange({ ...condition, operator: event.currentTarget.value })}
      >
        {all.map((name) => (
          <option key={name} value={name} title={name}>
            {labelOf(name)}
          </option>
        ))}
      </select>
      {valuesOf(operator) !== 'none' && (
        <ValueInput {...{ attribute, operator, value, label, problem }} onChange={(next) => onChange({ ...condition, value: next })} />
      )}
      <button type="button" class="quiet" onClick={onRemove} aria-label={`${label}: remove`}>
        ✕
      </button>
      {problem !== undefined && <p class="problem">{problem}</p>}
    </div>
  );
}

const hints: Readonly<Record<string, string>> = { date: '2026-01-31', time: '12:30', datetime: '2026-01-31T12:30:00Z' };

function ValueInput(props: {
  readonly attribute: DescribedAttribute | undefined;
  readonly operator: string;
  readonly value: string;
  readonly label: string;
  readonly problem: string | undefined;
  readonly onChange: (value: string) => void;
}) {
  const { attribute, operator, value, label, problem, onChange } = props;
  const takes = valuesOf(operator);
  const options =
    attribute?.kind !== 'scalar' || takes !== 'one' ? undefined : attribute.type === 'boolean' ? ['true', 'false'] : attribute.enum;
  const name = `${label}: value`;
  if (options !== undefined) {
    return (
      <select aria-label={name} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">choose…</option>
        {(options.includes(value) || value === '' ? options : [value, ...options]).map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    );
  }
  const hint = attribute?.kind === 'scalar' ? hints[attribute.type] : undefined;
  return (
    <input
      aria-label={takes === 'one' ? name : `${name}s, separated by commas`}
      aria-invalid={problem !== undefined}
      placeholder={takes === 'two' ? 'from, to' : takes === 'many' ? 'a, b, c' : (hint ?? 'value')}
      value={value}
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  );
}
