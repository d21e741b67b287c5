/** The URL of the query: it follows the controls, and they follow it. */
import { useState } from 'preact/hooks';
import { CopyButton } from './copy-button.tsx';
import { isRunning, run, takeUrl, unshown, url, urlProblem } from './state.ts';
import { encodedUrl } from './write-url.ts';

export function UrlBar() {
  // While it is typed, the text is not replaced by the URL that the controls would write.
  const [draft, setDraft] = useState<string | undefined>(undefined);
  const take = () => {
    if (draft !== undefined && draft !== url.value) takeUrl(draft);
    setDraft(undefined);
  };
  return (
    <form
      class="url"
      aria-label="Request"
      onSubmit={(event) => {
        event.preventDefault();
        take();
        if (urlProblem.value === '') run();
      }}
    >
      <div class="url-row">
        <span class="method" aria-hidden="true">
          GET
        </span>
        <textarea
          id="url"
          rows={1}
          aria-label="URL"
          aria-describedby="url-note"
          aria-invalid={urlProblem.value !== ''}
          spellcheck={false}
          autocomplete="off"
          autocapitalize="off"
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            // A URL has one line, however many the field shows.
            event.preventDefault();
            event.stopPropagation();
            event.currentTarget.form?.requestSubmit();
          }}
          value={draft ?? url.value}
          onInput={(event) => setDraft(event.currentTarget.value.replaceAll('\n', ''))}
          onPaste={(event) => {
            // A URL that is pasted over the whole field is taken over at once.
            const field = event.currentTarget;
            if (field.selectionStart !== 0 || field.selectionEnd !== field.value.length) return;
            event.preventDefault();
            takeUrl(event.clipboardData?.getData('text') ?? '');
            setDraft(undefined);
          }}
          onBlur={take}
        />
        <CopyButton label="Copy the URL" text={() => encodedUrl(url.value, location.origin)} />
        <button type="submit" class="main" title="Ctrl+Enter, or Cmd+Enter">
          {isRunning.value ? 'Running…' : 'Run'}
        </button>
        <button type="button" class="to-response" onClick={() => document.getElementById('response')?.focus()}>
          Response ↓
        </button>
      </div>
      <p id="url-note" class={urlProblem.value === '' ? 'soft note' : 'problem'}>
        {urlProblem.value !== ''
          ? urlProblem.value
          : unshown.value.length > 0
            ? `Run as it is. The controls cannot show ${unshown.value.slice(0, 5).join(', ')}${unshown.value.length > 5 ? ', …' : ''}; changing them leaves that out.`
            : 'Choose below, or paste a URL here.'}
      </p>
    </form>
  );
}
