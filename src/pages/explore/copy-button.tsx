import { useState } from 'preact/hooks';

/** Milliseconds for which the button says that it has copied. */
const shownFor = 1500;

export function CopyButton({ label, text }: { readonly label: string; readonly text: () => string }) {
  const [said, setSaid] = useState('');
  const copy = async () => {
    setSaid((await writeClipboard(text())) ? 'Copied' : 'Not copied');
    setTimeout(() => setSaid(''), shownFor);
  };
  return (
    <>
      <button type="button" onClick={() => void copy()} aria-label={label}>
        {said === '' ? 'Copy' : said}
      </button>
      <span class="unseen" role="status">
        {said}
      </span>
    </>
  );
}

async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without TLS browsers have no clipboard for scripts, except on this machine.
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'unseen';
  const before = document.activeElement;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return isCopied;
}
