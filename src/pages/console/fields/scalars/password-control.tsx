/** A password: no response has it, so an empty control leaves it as it is. */
import { useState } from 'preact/hooks';
import { say } from '../../words/say.ts';
import { type ControlProps, wiringOf } from '../control-props.ts';

export function PasswordControl(props: ControlProps) {
  const { value, change, isReadOnly, id } = props;
  const [isShown, show] = useState(false);
  return (
    <span class="field-row">
      <input
        {...wiringOf(props)}
        type={isShown ? 'text' : 'password'}
        autoComplete="new-password"
        autocapitalize="off"
        spellcheck={false}
        readOnly={isReadOnly}
        value={typeof value === 'string' ? value : ''}
        placeholder={say('fields.passwordUnchanged')}
        onInput={({ currentTarget }) => change(currentTarget.value === '' ? undefined : currentTarget.value)}
      />
      {!isReadOnly && (
        <button type="button" aria-pressed={isShown} aria-controls={id} onClick={() => show(!isShown)}>
          {say('fields.showPassword')}
        </button>
      )}
    </span>
  );
}
