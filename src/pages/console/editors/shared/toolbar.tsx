/** A toolbar as WAI-ARIA describes it: one stop for Tab, arrows move inside it. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon, type IconName } from './icons.tsx';
import { ariaShortcut, shortcutText } from './shortcut.ts';

interface ToolbarProps {
  readonly label: string;
  /** The id of the editor that the buttons change. */
  readonly controls: string;
  readonly children: ComponentChildren;
}

export function Toolbar({ label, controls, children }: ToolbarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const current = useRef<HTMLElement | undefined>(undefined);
  const tools = (): HTMLElement[] => [...(bar.current?.querySelectorAll<HTMLElement>('[data-tool]') ?? [])];
  const showStop = () => {
    const all = tools();
    const stop = current.current !== undefined && all.includes(current.current) ? current.current : all[0];
    for (const tool of all) tool.tabIndex = tool === stop ? 0 : -1;
  };
  useLayoutEffect(showStop);
  const onKeyDown = (event: KeyboardEvent) => {
    const all = tools();
    const at = all.indexOf(event.target as HTMLElement);
    const isRightToLeft = bar.current !== null && getComputedStyle(bar.current).direction === 'rtl';
    const next = nextIndex(event.key, at, all.length, isRightToLeft);
    if (at < 0 || next === undefined) return;
    // A select would choose another option.
    event.preventDefault();
    all[next]?.focus();
  };
  return (
    <div
      ref={bar}
      class="editor-toolbar"
      role="toolbar"
      aria-label={label}
      aria-controls={controls}
      onKeyDown={onKeyDown}
      onFocusIn={(event) => {
        current.current = event.target as HTMLElement;
        showStop();
      }}
    >
      {children}
    </div>
  );
}

function nextIndex(key: string, at: number, count: number, isRightToLeft: boolean): number | undefined {
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return undefined;
  const step = (key === 'ArrowRight') === isRightToLeft ? -1 : 1;
  return (at + step + count) % count;
}

export function ToolGroup({ children }: { readonly children: ComponentChildren }) {
  return <span class="editor-tools">{children}</span>;
}

interface ToolProps {
  readonly icon: IconName;
  readonly label: string;
  readonly shortcut?: string;
  /** Whether it is on, for a button that switches something. */
  readonly isOn?: boolean;
  /** A button that can do nothing now stays where it is, and keeps the focus. */
  readonly isIdle?: boolean;
  /** `byPointer`: not by a key, so that the focus may go back to the text. */
  readonly run: (byPointer: boolean) => void;
}

export function Tool({ icon, label, shortcut, isOn, isIdle = false, run }: ToolProps) {
  return (
    <button
      type="button"
      class="editor-tool"
      data-tool=""
      title={shortcut === undefined ? label : `${label} (${shortcutText(shortcut)})`}
      aria-label={label}
      aria-pressed={isOn}
      aria-disabled={isIdle}
      aria-keyshortcuts={shortcut === undefined ? undefined : ariaShortcut(shortcut)}
      // The text keeps its selection.
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => {
        if (!isIdle) run(event.detail > 0);
      }}
    >
      <Icon name={icon} />
    </button>
  );
}
