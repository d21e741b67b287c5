/** One of a few: booleans and enumerations. */
import { say } from '../../words/say.ts';
import { type ControlProps, wiringOf } from '../control-props.ts';

export function BooleanControl(props: ControlProps) {
  const { attribute, value, change, isReadOnly } = props;
  if (typeof attribute.default === 'boolean' && typeof value === 'boolean')
    return (
      <span class="check switch">
        <input
          {...wiringOf(props)}
          type="checkbox"
          checked={value}
          disabled={isReadOnly}
          onChange={({ currentTarget }) => change(currentTarget.checked)}
        />
        <span aria-hidden="true">{say(value ? 'fields.yes' : 'fields.no')}</span>
      </span>
    );
  const choices = [
    { label: say('fields.yes'), value: true },
    { label: say('fields.no'), value: false },
    ...(attribute.required ? [] : [{ label: say('fields.notSet'), value: null }]),
  ];
  return <Radios {...props} choices={choices} chosen={attribute.required ? value : (value ?? null)} />;
}

/** More of them take a list that opens. */
const maxRadios = 4;

/** Whether the control has parts of its own, which a label cannot name. */
export const isRadioGroup = ({ type, enum: values = [], default: usual }: ControlProps['attribute']): boolean =>
  type === 'boolean' ? typeof usual !== 'boolean' : type === 'enumeration' && values.length <= maxRadios;

export function EnumerationControl(props: ControlProps) {
  const { attribute, value, change, isReadOnly } = props;
  const { enum: values = [], required } = attribute;
  const text = typeof value === 'string' ? value : '';
  const choices = [
    ...values.map((each) => ({ label: each, value: each })),
    // As it was stored before the schema file has changed.
    ...(text === '' || values.includes(text) ? [] : [{ label: say('fields.noLongerAllowed', { value: text }), value: text }]),
  ];
  const none = { label: say('fields.notSet'), value: '' };
  const isEmptyOffered = !required || text === '';
  if (isRadioGroup(attribute)) {
    const offered = required ? choices : [...choices, none];
    return (
      <Radios
        {...props}
        choices={offered}
        chosen={text === '' && required ? undefined : text}
        change={(next) => change(next === '' ? null : next)}
      />
    );
  }
  return (
    <select
      {...wiringOf(props)}
      dir="auto"
      value={text}
      disabled={isReadOnly}
      onChange={({ currentTarget }) => change(currentTarget.value === '' ? null : currentTarget.value)}
    >
      {isEmptyOffered && <option value="">{required ? say('fields.choose') : none.label}</option>}
      {choices.map(({ label, value: each }) => (
        <option key={each} value={each}>
          {label}
        </option>
      ))}
    </select>
  );
}

interface RadioProps extends ControlProps {
  readonly choices: readonly { readonly label: string; readonly value: unknown }[];
  readonly chosen: unknown;
}

function Radios({ id, describedBy, isInvalid, isReadOnly, attribute, change, choices, chosen }: RadioProps) {
  return (
    <div
      id={id}
      class="radios"
      role="radiogroup"
      tabIndex={-1}
      aria-labelledby={`${id}--label`}
      aria-describedby={describedBy}
      aria-invalid={isInvalid || undefined}
      aria-required={attribute.required || undefined}
    >
      {choices.map(({ label, value }) => (
        <label key={String(value)} class="check" dir="auto">
          <input type="radio" name={id} checked={chosen === value} disabled={isReadOnly} onChange={() => change(value)} />
          {label}
        </label>
      ))}
    </div>
  );
}
