/** The form of a dialog, which is sent once at a time. */
import { useState } from 'preact/hooks';
import { say } from '../words/say.ts';
import type { DialogProps } from './dialog.tsx';

interface Props extends Pick<DialogProps, 'close' | 'children'> {
  /** The text of the button that sends the form. */
  readonly yes: string;
  /** Resolves with what is wrong; undefined if nothing is, and the dialog was closed. */
  readonly submit: (data: FormData) => Promise<string | undefined>;
}

export function DialogForm({ close, yes, submit, children }: Props) {
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const send = async (form: HTMLFormElement) => {
    if (isBusy) return;
    setBusy(true);
    setProblem((await submit(new FormData(form))) ?? '');
    setBusy(false);
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void send(event.currentTarget);
      }}
    >
      {children}
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <p class="buttons">
        <button type="submit" class="primary" aria-disabled={isBusy}>
          {yes}
        </button>
        <button type="button" onClick={close}>
          {say('shell.cancel')}
        </button>
      </p>
    </form>
  );
}
