/** A secret that is shown once: a link to set a password, the secret of an API token. */
import { useRef, useState } from 'preact/hooks';
import { say } from '../words/say.ts';

interface ShownOnceProps {
  readonly label: string;
  readonly value: string;
  readonly hint: string;
}

export function ShownOnce({ label, value, hint }: ShownOnceProps) {
  const field = useRef<HTMLInputElement>(null);
  const [said, setSaid] = useState('');
  const copy = async () => {
    field.current?.select();
    // Without TLS, browsers have no clipboard for scripts: the text is selected.
    const isCopied = await navigator.clipboard?.writeText(value).then(
      () => true,
      () => false,
    );
    setSaid(say(isCopied === true ? 'people.copied' : 'people.copyYourself'));
  };
  return (
    <div class="people-once">
      <label>
        {label}
        <input ref={field} readOnly value={value} autocomplete="off" spellcheck={false} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <p class="buttons">
        <button type="button" class="primary" onClick={() => void copy()}>
          {say('people.copy')}
        </button>
        <span class="soft" role="status">
          {said}
        </span>
      </p>
      <p class="soft">{hint}</p>
    </div>
  );
}
