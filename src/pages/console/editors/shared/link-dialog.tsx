import { useId, useRef, useState } from 'preact/hooks';
import { Dialog } from '../../shell/dialog.tsx';
import { say } from '../../words/say.ts';

export interface TypedLink {
  readonly url: string;
  readonly text: string;
}

interface LinkDialogProps {
  readonly url: string;
  /** Undefined where the text of the link is there already. */
  readonly text: string | undefined;
  /** The URL that is meant by what was typed; undefined if it can be none. */
  readonly read: (typed: string) => string | undefined;
  readonly done: (link: TypedLink) => void;
  /** Only where there is a link. */
  readonly remove: (() => void) | undefined;
  readonly close: () => void;
}

/** Asks for the URL of a link. No form: the editor stands in one. */
export function LinkDialog({ url: before, text: textBefore, read, done, remove, close }: LinkDialogProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [url, setUrl] = useState(before);
  const [text, setText] = useState(textBefore ?? '');
  const [isRefused, setRefused] = useState(false);
  const submit = () => {
    const found = read(url);
    if (found === undefined) {
      setRefused(true);
      input.current?.focus();
      return;
    }
    done({ url: found, text: text.trim() });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // The shortcuts of the page are not for what is behind the dialog.
    event.stopPropagation();
    if (event.key !== 'Enter' || event.target instanceof HTMLButtonElement) return;
    event.preventDefault();
    submit();
  };
  return (
    <Dialog title={say('editors.link')} close={close}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Enter in an input submits, as in a form. */}
      <div class="stack editor-link" onKeyDown={onKeyDown}>
        <div>
          <label for={`${id}-url`}>{say('editors.linkUrl')}</label>
          <input
            ref={input}
            id={`${id}-url`}
            // A dialog gives the focus to it.
            autofocus
            inputMode="url"
            autocomplete="off"
            spellcheck={false}
            dir="ltr"
            value={url}
            aria-invalid={isRefused}
            aria-describedby={isRefused ? `${id}-problem` : `${id}-help`}
            onInput={(event) => {
              setUrl(event.currentTarget.value);
              setRefused(false);
            }}
          />
          {isRefused ? (
            <p id={`${id}-problem`} class="problem" role="alert">
              {say('editors.linkRefused')}
            </p>
          ) : (
            <p id={`${id}-help`} class="soft">
              {say('editors.linkHelp')}
            </p>
          )}
        </div>
        {textBefore !== undefined && (
          <div>
            <label for={`${id}-text`}>{say('editors.linkText')}</label>
            <input id={`${id}-text`} dir="auto" value={text} onInput={(event) => setText(event.currentTarget.value)} />
          </div>
        )}
        <div class="buttons">
          <button type="button" class="primary" onClick={submit}>
            {say('editors.linkDone')}
          </button>
          {remove !== undefined && (
            <button type="button" onClick={remove}>
              {say('editors.linkRemove')}
            </button>
          )}
          <button type="button" onClick={close}>
            {say('shell.cancel')}
          </button>
        </div>
      </div>
    </Dialog>
  );
}
