/** Short notices at the edge of the page, which screen readers announce. */
import { effect, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { say } from '../words/say.ts';
import { uppermost } from './open-dialogs.ts';

export interface Notice {
  readonly text: string;
  readonly kind?: 'problem';
  /** A button, or a link that opens another tab, until the notice goes. */
  readonly action?: { readonly label: string } & ({ readonly run: () => void } | { readonly href: string });
  /** Milliseconds until it goes by itself; problems stay. */
  readonly stays?: number;
}

interface Shown extends Notice {
  readonly id: number;
  /** Milliseconds since the page was opened. */
  readonly since: number;
}

const notices = signal<readonly Shown[]>([]);
let next = 1;
const usual = 5000;

/** Milliseconds in which a screen reader has begun with a notice. */
const untilHeard = 500;
/** The notices that were announced where they stood before a dialog opened or closed. */
let heard: ReadonlySet<number> = new Set();
effect(() => {
  uppermost.value;
  const before = performance.now() - untilHeard;
  heard = new Set(notices.peek().flatMap(({ id, since }) => (since < before ? [id] : [])));
});

/** Returns a function that removes it. */
export function notify(notice: Notice): () => void {
  const id = next++;
  notices.value = [...notices.value, { ...notice, id, since: performance.now() }];
  const remove = () => {
    notices.value = notices.value.filter((each) => each.id !== id);
  };
  if (notice.kind !== 'problem') setTimeout(remove, notice.stays ?? usual);
  return remove;
}

/** The server's reason for refusing, or that it did not respond. */
export function notifyFailure(failure: { readonly message: string; readonly code: string } | undefined): void {
  const text = failure?.code === 'console.offline' ? say('shell.offline') : say('shell.failed', { reason: failure?.message ?? '' });
  notify({ kind: 'problem', text });
}

/** Where notices are shown: in the page, below those that are drawn elsewhere, and in each dialog,
 *  which covers the page. Only the uppermost has them. Screen readers announce what comes into a
 *  place that was there before: a notice that moves with a dialog is not in it any more. */
export function Notices({ dialog, children }: { readonly dialog?: string; readonly children?: ComponentChildren }) {
  const here = uppermost.value === dialog ? notices.value : [];
  return (
    <section class="notices" aria-label={here.length > 0 ? say('shell.notices') : undefined}>
      {here.filter(({ id }) => heard.has(id)).map(lineOf)}
      <div class="notices-new" role="status" aria-atomic="false">
        {children}
        {here.filter(({ id }) => !heard.has(id)).map(lineOf)}
      </div>
    </section>
  );
}

function lineOf({ id, text, kind, action }: Shown) {
  const remove = () => {
    notices.value = notices.value.filter((each) => each.id !== id);
  };
  return (
    <div key={id} class={kind === undefined ? 'notice' : `notice ${kind}`}>
      <span>{text}</span>
      {action !== undefined && 'href' in action && (
        <a class="button" href={action.href} target="_blank" rel="noopener">
          {action.label}
        </a>
      )}
      {action !== undefined && 'run' in action && (
        <button
          type="button"
          onClick={() => {
            action.run();
            remove();
          }}
        >
          {action.label}
        </button>
      )}
      <button type="button" class="quiet" aria-label={say('shell.close')} onClick={remove}>
        ✕
      </button>
    </div>
  );
}
