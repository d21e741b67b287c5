/** Shortcuts as ProseMirror and CodeMirror write them, `Mod-Shift-s`, for people and for `aria-keyshortcuts`. */

const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);

export function shortcutText(shortcut: string): string {
  const keys = shortcut.split('-').map((key) => (key.length === 1 ? key.toUpperCase() : key));
  if (!isMac()) return keys.map((key) => (key === 'Mod' ? 'Ctrl' : (arrows[key] ?? key))).join('+');
  return keys.map((key) => macKeys[key] ?? arrows[key] ?? key).join('');
}

const macKeys: Readonly<Record<string, string>> = { Mod: '⌘', Shift: '⇧', Alt: '⌥' };
const arrows: Readonly<Record<string, string>> = { ArrowUp: '↑', ArrowDown: '↓' };

export const ariaShortcut = (shortcut: string): string =>
  shortcut
    .split('-')
    .map((key) => (key === 'Mod' ? (isMac() ? 'Meta' : 'Control') : key.length === 1 ? key.toUpperCase() : key))
    .join('+');
