/** A button with a few more of them, which closes when one is used, or when the focus leaves. */
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';

interface Props {
  readonly label: string;
  /** Whether the button shows its label instead of dots. */
  readonly isNamed?: boolean;
  readonly children: ComponentChildren;
}

export function Menu({ label, isNamed = false, children }: Props) {
  const element = useRef<HTMLDetailsElement>(null);
  const summary = useRef<HTMLElement>(null);
  const close = () => element.current?.removeAttribute('open');
  const closeAndStay = () => {
    close();
    // What was focused is hidden, and a dialog that opens now gives the focus back.
    summary.current?.focus();
  };
  return (
    <details
      ref={element}
      class={isNamed ? 'more' : 'more field-menu'}
      onFocusOut={({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node && element.current?.contains(relatedTarget))) close();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || element.current?.open !== true) return;
        event.stopPropagation();
        event.preventDefault();
        closeAndStay();
      }}
    >
      {isNamed ? (
        <summary ref={summary}>{label}</summary>
      ) : (
        <summary ref={summary} aria-label={label} title={label}>
          ⋯
        </summary>
      )}
      <div class="more-list" onClickCapture={closeAndStay}>
        {children}
      </div>
    </details>
  );
}
