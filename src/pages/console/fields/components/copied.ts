/** The component that was copied last, in whichever tab of this browser. Reading the clipboard instead
 *  would need the user's permission only to say what is on it. */
import { signal } from '@preact/signals';

const latest = signal('');
let channel: BroadcastChannel | undefined;

function tabs(): BroadcastChannel {
  if (channel !== undefined) return channel;
  const made = new BroadcastChannel('lectern-copied');
  made.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (typeof data === 'string') latest.value = data;
    // A tab that was opened later asks.
    else if (latest.value !== '') made.postMessage(latest.value);
  };
  made.postMessage(null);
  channel = made;
  return made;
}

/** Empty if there is none. */
export function lastCopied(): string {
  tabs();
  return latest.value;
}

/** Also onto the clipboard, for other browsers. */
export async function copyText(text: string): Promise<void> {
  latest.value = text;
  tabs().postMessage(text);
  await navigator.clipboard?.writeText(text).catch(() => undefined);
}
