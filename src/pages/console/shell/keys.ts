/** Shortcuts of a single key. They are for pages, not for texts: whoever types, or has a dialog open,
 *  means something else. They can be switched off (WCAG 2.1.4). */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

const storageKey = 'lectern-console-single-keys';

export const areSingleKeysOn = signal(localStorage.getItem(storageKey) !== 'off');

export function switchSingleKeys(on: boolean): void {
  localStorage.setItem(storageKey, on ? 'on' : 'off');
  areSingleKeysOn.value = on;
}

export const isMac = navigator.platform.startsWith('Mac');

type Bindings = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/** By `event.key`: `j`, `?`; capital letters with Shift. */
export function useSingleKeys(bindings: Bindings): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!areSingleKeysOn.value || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event)) return;
      const binding = Object.hasOwn(bindings, event.key) ? bindings[event.key] : undefined;
      if (binding === undefined) return;
      event.preventDefault();
      binding(event);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
}

function isElsewhere({ target }: KeyboardEvent): boolean {
  if (document.querySelector('dialog[open]') !== null) return true;
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button'].includes(target.type);
  return target.isContentEditable || target.matches('textarea, select, [role=textbox], [role=combobox]');
}
