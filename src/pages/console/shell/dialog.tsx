/** Dialogs: the browser's own, which keeps the focus inside and gives it back. */
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { say } from '../words/say.ts';
import { Notices } from './notices.tsx';
import { dialogOpened, newDialogId } from './open-dialogs.ts';

export interface DialogProps {
  readonly title: string;
  readonly close: () => void;
  readonly children: ComponentChildren;
  /** `wide` for libraries, `side` for a drawer at the edge. */
  readonly kind?: 'wide' | 'side';
  /** A dialog that must not be dismissed has no button to close it. */
  readonly isRequired?: boolean;
  /** The id of a text that is announced with the title. */
  readonly describedBy?: string;
}

export function Dialog({ title, close, children, kind, isRequired = false, describedBy }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useMemo(newDialogId, []);
  // At once: what is typed next is meant for the dialog.
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    // The browser would begin with the first button, which closes it.
    if (dialog?.querySelector('[autofocus]') === null) dialog.querySelector('h2')?.focus({ preventScroll: true });
    const closed = dialogOpened(id);
    return () => {
      closed();
      // Closing gives the focus back; removing an open dialog would lose it.
      dialog?.close();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={kind === undefined ? 'dialog' : `dialog ${kind}`}
      aria-labelledby={id}
      aria-describedby={describedBy}
      onCancel={(event) => {
        // A dialog above this one, or a file chooser, cancels itself.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        if (!isRequired) close();
      }}
    >
      <header class="dialog-head">
        <h2 id={id} tabIndex={-1}>
          {title}
        </h2>
        {!isRequired && (
          <button type="button" class="quiet" aria-label={say('shell.close')} onClick={close}>
            ✕
          </button>
        )}
      </header>
      {children}
      <Notices dialog={id} />
    </dialog>
  );
}

interface Question {
  readonly title: string;
  readonly text: string;
  /** The text of the button that says yes. */
  readonly yes: string;
  readonly isDangerous?: boolean;
}

const asked = signal<{ readonly question: Question; readonly answer: (yes: boolean) => void } | undefined>(undefined);

/** Resolves with whether the user agrees. */
export function ask(question: Question): Promise<boolean> {
  asked.value?.answer(false);
  return new Promise((resolve) => {
    const answer = (yes: boolean) => {
      asked.value = undefined;
      resolve(yes);
    };
    asked.value = { question, answer };
  });
}

/** Where questions are shown; once in the page. */
export function Questions() {
  if (asked.value === undefined) return null;
  const { question, answer } = asked.value;
  const { isDangerous = false } = question;
  return (
    <Dialog title={question.title} close={() => answer(false)} describedBy="question">
      <p id="question">{question.text}</p>
      <p class="buttons">
        <button type="button" class={isDangerous ? 'danger' : 'primary'} autofocus={!isDangerous} onClick={() => answer(true)}>
          {question.yes}
        </button>
        <button type="button" autofocus={isDangerous} onClick={() => answer(false)}>
          {say('shell.cancel')}
        </button>
      </p>
    </Dialog>
  );
}
