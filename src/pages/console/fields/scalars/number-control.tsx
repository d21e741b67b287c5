/** Numbers. What is no number stays as it was typed, and is told when the control is left. */
import { useRef } from 'preact/hooks';
import { region, say } from '../../words/say.ts';
import { type ControlProps, wiringOf } from '../control-props.ts';
import { reportProblem, useForm } from '../form-context.ts';
import { wrongWord } from '../wrong-values.ts';
import { type NumberType, numberText, readNumber, separatorOf } from './number-text.ts';

export function NumberControl(props: ControlProps) {
  const { attribute, value, change, isReadOnly, path, id, describedBy } = props;
  const currency = attribute.lectern?.currency;
  const form = useForm();
  const separator = separatorOf(region.value);
  // `1,50` is worth 1.5, and stays `1,50` while it is typed.
  const typed = useRef<{ readonly text: string; readonly value: unknown }>();
  const text = typed.current !== undefined && typed.current.value === value ? typed.current.text : numberText(value, separator);
  const type = attribute.type as NumberType;
  const input = (
    <input
      {...wiringOf(props)}
      aria-describedby={currency === undefined ? describedBy : [`${id}--currency`, describedBy].filter(Boolean).join(' ')}
      class="number"
      inputMode={attribute.min !== undefined && Number(attribute.min) >= 0 && type.endsWith('integer') ? 'numeric' : 'decimal'}
      autoComplete="off"
      readOnly={isReadOnly}
      placeholder={attribute.lectern?.placeholder}
      value={text}
      onInput={({ currentTarget }) => {
        const read = readNumber(currentTarget.value, type, separator);
        const next = read.ok ? read.value : currentTarget.value;
        typed.current = { text: currentTarget.value, value: next };
        change(next);
      }}
      onBlur={() => {
        const word = wrongWord(attribute, value, separator);
        if (word !== undefined) reportProblem(form, path, say(word));
      }}
    />
  );
  if (currency === undefined) return input;
  return (
    <span class="with-currency">
      {input}
      <span id={`${id}--currency`} class="soft" title={new Intl.DisplayNames(region.value, { type: 'currency' }).of(currency)}>
        {currency}
      </span>
    </span>
  );
}
