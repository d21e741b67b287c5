/** Short notices at the edge of the page, which screen readers announce. */
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { say } from '../words/say.ts';
import { uppermost } from './open-dialogs.ts';

export interface Notice {
  readonly text: string;
  readonly kind?: 'problem';
  /** A button, until the notice goes. */
  readonly action?: { readonly label: string; readonly run: () => void };
  /** Milliseconds until it goes by itself; problems stay. */
  readonly stays?: number;
}

interface Shown extends Notice {
  readonly id: number;
}

const notices = signal<readonly Shown[]>([]);
let next = 1;
const usual = 5000;

/** Returns a function that removes it. */
export function notify(notice: Notice): () => void {
  const id = next++;
  notices.value = [...notices.value, { ...notice, id }];
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
 *  which covers the page. Only the uppermost has them. Screen readers announce what changes in a
 *  place that was there before. */
export function Notices({ dialog, children }: { readonly dialog?: string; readonly children?: ComponentChildren }) {
  const remove = (id: number) => {
    notices.value = notices.value.filter((each) => each.id !== id);
  };
  return (
    <div class="notices" role="status">
      {children}
      {(uppermost.value === dialog ? notices.value : []).map(({ id, text, kind, action }) => (
        <div key={id} class={kind === undefined ? 'notice' : `notice ${kind}`}>
          <span>{text}</span>
          {action !== undefined && (
            <button
              type="button"
              onClick={() => {
                action.run();
                remove(id);
              }}
            >
              {action.label}
            </button>
          )}
          <button type="button" class="quiet" aria-label={say('shell.close')} onClick={() => remove(id)}>
            ✕
          </button>
        </div>
      ))}
    </div>
  );
}
