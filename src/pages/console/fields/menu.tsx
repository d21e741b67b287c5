/** A button with a few more of them, which closes when one is used, or when the focus leaves. */
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';

interface Props {
  readonly label: string;
  readonly children: ComponentChildren;
}

export function Menu({ label, children }: Props) {
  const element = useRef<HTMLDetailsElement>(null);
  const close = () => element.current?.removeAttribute('open');
  return (
    <details
      ref={element}
      class="more field-menu"
      onFocusOut={({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node && element.current?.contains(relatedTarget))) close();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || element.current?.open !== true) return;
        event.stopPropagation();
        event.preventDefault();
        close();
        element.current.querySelector('summary')?.focus();
      }}
    >
      <summary aria-label={label} title={label}>
        ⋯
      </summary>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons inside are what is used. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the buttons inside have keys. */}
      <div class="more-list" onClick={close}>
        {children}
      </div>
    </details>
  );
}
