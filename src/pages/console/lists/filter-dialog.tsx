/** One condition, put together from a field, a comparison and values. */
import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { DescribedType } from '../server/me.ts';
import { typeOf } from '../server/me.ts';
import { Dialog } from '../shell/dialog.tsx';
import { say } from '../words/say.ts';
import { labelOf, statusWords } from './condition-text.ts';
import {
  type Condition,
  type Filterable,
  filterablesOf,
  isComplete,
  type Operator,
  operatorsOf,
  statuses,
  valueCountOf,
} from './conditions.ts';
import { DocumentPicker } from './document-picker.tsx';

interface Props {
  readonly type: DescribedType;
  readonly locale: string | undefined;
  /** Undefined for a new one. */
  readonly condition: Condition | undefined;
  readonly close: () => void;
  readonly apply: (condition: Condition) => void;
}

/** The name of a document is what people look for first. */
function beginning({ title }: DescribedType, filterables: readonly Filterable[]): Condition {
  const first = filterables.find(({ name }) => name === title) ?? filterables[0];
  return conditionOn(first);
}

const conditionOn = (filterable: Filterable | undefined): Condition => ({
  attribute: filterable?.name ?? '',
  operator: filterable === undefined ? 'is' : (operatorsOf[filterable.kind][0] ?? 'is'),
  values: [],
});

export function FilterDialog({ type, locale, condition, close, apply }: Props) {
  const filterables = filterablesOf(type);
  const edited = useSignal(condition ?? beginning(type, filterables));
  const [fieldId, howId] = [useId(), useId()];
  const filterable = filterables.find(({ name }) => name === edited.value.attribute);
  if (filterable === undefined) return null;
  const { operator, values } = edited.value;
  const changeOperator = (next: Operator) => {
    // Values that the other comparison can use stay.
    const stays = valueCountOf(next) === valueCountOf(operator) && (next === 'lastDays') === (operator === 'lastDays');
    edited.value = { ...edited.value, operator: next, values: stays ? values : [] };
  };
  return (
    <Dialog title={say(condition === undefined ? 'lists.filterAdd' : 'lists.filterChange')} close={close}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isComplete(edited.value, filterable)) return;
          apply(edited.value);
          close();
        }}
      >
        <div>
          <label for={fieldId}>{say('lists.filterField')}</label>
          <select
            id={fieldId}
            autofocus
            value={filterable.name}
            onChange={(event) => {
              edited.value = conditionOn(filterables.find(({ name }) => name === event.currentTarget.value));
            }}
          >
            {filterables.map(({ name, attribute }) => (
              <option key={name} value={name}>
                {labelOf(attribute)}
              </option>
            ))}
          </select>
        </div>
        <div>
          <label for={howId}>{say('lists.filterHow')}</label>
          <select id={howId} value={operator} onChange={(event) => changeOperator(event.currentTarget.value as Operator)}>
            {operatorsOf[filterable.kind].map((each) => (
              <option key={each} value={each}>
                {say(`lists.op.${each}`)}
              </option>
            ))}
          </select>
        </div>
        <Values
          key={`${filterable.name} ${valueCountOf(operator)} ${operator === 'lastDays'}`}
          filterable={filterable}
          locale={locale}
          condition={edited.value}
          change={(next) => {
            edited.value = { ...edited.value, values: next };
          }}
        />
        <p class="buttons">
          <button type="submit" class="primary" disabled={!isComplete(edited.value, filterable)}>
            {say('lists.filterApply')}
          </button>
          <button type="button" onClick={close}>
            {say('shell.cancel')}
          </button>
        </p>
      </form>
    </Dialog>
  );
}

interface ValuesProps {
  readonly filterable: Filterable;
  readonly locale: string | undefined;
  readonly condition: Condition;
  readonly change: (values: readonly string[]) => void;
}

function Values({ filterable, locale, condition, change }: ValuesProps) {
  const { kind, attribute } = filterable;
  const { operator, values } = condition;
  switch (valueCountOf(operator)) {
    case 'none':
      return null;
    case 'many': {
      const target = kind === 'relation' ? typeOf(attribute?.target) : undefined;
      if (target !== undefined) return <DocumentPicker type={target} locale={locale} chosen={values} change={change} />;
      const options =
        kind === 'status'
          ? statuses.map((each) => [each, say(statusWords[each])] as const)
          : (attribute?.enum ?? []).map((each) => [each, each] as const);
      return <Choices options={options} isSingle={kind === 'status'} chosen={values} change={change} />;
    }
    case 'two': {
      const [from = '', to = ''] = values;
      return (
        <div class="list-range">
          <ValueField
            label={say('lists.filterFrom')}
            kind={inputType(filterable, operator)}
            value={from}
            change={(next) => change([next, to])}
          />
          <ValueField
            label={say('lists.filterTo')}
            kind={inputType(filterable, operator)}
            value={to}
            change={(next) => change([from, next])}
          />
        </div>
      );
    }
    case 'one':
      return (
        <ValueField
          label={say(operator === 'lastDays' ? 'lists.filterDays' : 'lists.filterValue')}
          kind={inputType(filterable, operator)}
          value={values[0] ?? ''}
          change={(next) => change(next === '' ? [] : [next])}
        />
      );
  }
}

function inputType({ kind }: Filterable, operator: Operator): 'text' | 'number' | 'days' | 'date' | 'time' {
  if (operator === 'lastDays') return 'days';
  if (kind === 'date' || kind === 'datetime') return 'date';
  return kind === 'number' || kind === 'time' ? kind : 'text';
}

interface FieldProps {
  readonly label: string;
  readonly kind: ReturnType<typeof inputType>;
  readonly value: string;
  readonly change: (value: string) => void;
}

function ValueField({ label, kind, value, change }: FieldProps) {
  const id = useId();
  const isNumber = kind === 'number' || kind === 'days';
  return (
    <div>
      <label for={id}>{label}</label>
      <input
        id={id}
        type={isNumber ? 'number' : kind}
        step={kind === 'number' ? 'any' : undefined}
        min={kind === 'days' ? 1 : undefined}
        max={kind === 'days' ? 99_999 : undefined}
        value={value}
        onInput={(event) => change(event.currentTarget.value)}
      />
    </div>
  );
}

interface ChoicesProps {
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly isSingle: boolean;
  readonly chosen: readonly string[];
  readonly change: (values: readonly string[]) => void;
}

function Choices({ options, isSingle, chosen, change }: ChoicesProps) {
  const name = useId();
  const toggle = (value: string, isChosen: boolean) => {
    if (isSingle) change([value]);
    else change(options.map(([each]) => each).filter((each) => (each === value ? isChosen : chosen.includes(each))));
  };
  return (
    <fieldset class="list-choices">
      <legend>{say('lists.filterValue')}</legend>
      {options.map(([value, label]) => (
        <label key={value} class="check">
          <input
            type={isSingle ? 'radio' : 'checkbox'}
            name={name}
            checked={chosen.includes(value)}
            onChange={(event) => toggle(value, event.currentTarget.checked)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
