/** The dialogs that are open, the uppermost last. All beneath it is out of reach. */
import { computed, signal } from '@preact/signals';

const open = signal<readonly string[]>([]);
let next = 1;

/** Undefined when no dialog is open. */
export const uppermost = computed(() => open.value.at(-1));

/** Unique in the page, whatever roots are rendered in it. */
export const newDialogId = (): string => `dialog-${next++}`;

/** Returns a function that says that it is closed. */
export function dialogOpened(id: string): () => void {
  open.value = [...open.value, id];
  return () => {
    open.value = open.value.filter((each) => each !== id);
  };
}
