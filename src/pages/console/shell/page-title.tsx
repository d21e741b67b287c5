/** The heading of a page, which names the tab as well. */
import type { ReadonlySignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

let isFirst = true;

/** Screen readers say nothing when a page takes the place of another: the focus goes to the heading,
 *  unless a control of the page has it. The browser announces the first page itself. */
export function PageTitle({ text }: { readonly text: string | ReadonlySignal<string> }) {
  const element = useRef<HTMLHeadingElement>(null);
  const shown = typeof text === 'string' ? text : text.value;
  useEffect(() => {
    document.title = `${shown} · Lectern`;
  }, [shown]);
  useEffect(() => {
    const isElsewhere = document.activeElement?.matches('dialog *, main :not(a)') !== true;
    if (!isFirst && isElsewhere) element.current?.focus({ preventScroll: true });
    isFirst = false;
  }, []);
  return (
    <h1 ref={element} tabIndex={-1} dir="auto">
      {shown}
    </h1>
  );
}
