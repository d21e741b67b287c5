/** What keys, typed Markdown and undo do. */
import { Extension, InputRule } from '@tiptap/core';
import { dropCursor } from '@tiptap/pm/dropcursor';
import { gapCursor } from '@tiptap/pm/gapcursor';
import { history, redo, undo } from '@tiptap/pm/history';
import { type Command, TextSelection } from '@tiptap/pm/state';
import { type BlockKind, blockKind, moveBlock, resetAtStart, setKind } from './block-commands.ts';
import { nestItems, toggleList, unnestItems } from './list-commands.ts';

export const shortcuts = {
  moveUp: 'Alt-ArrowUp',
  moveDown: 'Alt-ArrowDown',
  nest: 'Mod-]',
  unnest: 'Mod-[',
  ordered: 'Mod-Shift-7',
  unordered: 'Mod-Shift-8',
  link: 'Mod-k',
} as const;

const inItemAtStart: Command = ({ selection: { empty, $from } }) =>
  empty && $from.parentOffset === 0 && $from.parent.type.name === 'listItem';

const both =
  (...commands: readonly Command[]): Command =>
  (state, dispatch) =>
    commands.every((command, index) => command(state, index === commands.length - 1 ? dispatch : undefined));

const inEmptyItem: Command = (state) => inItemAtStart(state) && state.selection.$from.parent.content.size === 0;

const lineBreak: Command = (state, dispatch) => {
  if (!state.selection.$from.parent.inlineContent) return false;
  dispatch?.(state.tr.insertText('\n').scrollIntoView());
  return true;
};

/** Enter in the last, empty line of code begins a paragraph below it. */
const leaveCode: Command = ({ selection: { empty, $from }, tr, schema }, dispatch) => {
  const { parent } = $from;
  const paragraph = schema.nodes.paragraph?.createAndFill();
  const isAtEnd = empty && parent.type.name === 'codeBlock' && $from.parentOffset === parent.content.size;
  if (!isAtEnd || !parent.textContent.endsWith('\n') || paragraph == null) return false;
  tr.delete($from.pos - 1, $from.pos);
  const behind = $from.after() - 1;
  tr.insert(behind, paragraph);
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, behind + 1)).scrollIntoView());
  return true;
};

/** The keys of the editor. Tab belongs to the page, but at the start of an item that can be nested. */
const keys: Readonly<Record<string, Command>> = {
  Tab: both(inItemAtStart, nestItems),
  'Shift-Tab': both(inItemAtStart, unnestItems),
  [shortcuts.nest]: nestItems,
  [shortcuts.unnest]: unnestItems,
  Enter: either(both(inEmptyItem, unnestItems), leaveCode),
  'Shift-Enter': lineBreak,
  Backspace: either(both(inItemAtStart, unnestItems), resetAtStart),
  [shortcuts.moveUp]: moveBlock('up'),
  [shortcuts.moveDown]: moveBlock('down'),
  [shortcuts.ordered]: toggleList('ordered'),
  [shortcuts.unordered]: toggleList('unordered'),
  'Mod-Alt-0': setKind('paragraph'),
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => [`Mod-Alt-${level}`, setKind(`heading${level}` as BlockKind)])),
  'Mod-z': undo,
  'Mod-Shift-z': redo,
  'Mod-y': redo,
};

function either(...commands: readonly Command[]): Command {
  return (state, dispatch, view) => commands.some((command) => command(state, dispatch, view));
}

/** A paragraph that begins with such a text becomes something else. */
const typed: readonly (readonly [RegExp, (match: RegExpMatchArray) => Command])[] = [
  [/^(#{1,6})\s$/, (match) => setKind(`heading${match[1]?.length ?? 1}` as BlockKind)],
  [/^[-*+]\s$/, () => toggleList('unordered')],
  [/^1[.)]\s$/, () => toggleList('ordered')],
  [/^>\s$/, () => setKind('quote')],
  [/^```\s$/, () => setKind('codeBlock')],
];

export const typing = Extension.create({
  name: 'typing',
  // Before what Tiptap does with these keys.
  priority: 200,
  addKeyboardShortcuts() {
    const run = (command: Command) => () => command(this.editor.state, this.editor.view.dispatch, this.editor.view);
    return Object.fromEntries(Object.entries(keys).map(([key, command]) => [key, run(command)]));
  },
  addInputRules: () =>
    typed.map(
      ([find, commandOf]) =>
        new InputRule({
          find,
          handler: ({ state, range, match }) => {
            if (blockKind(state) !== 'paragraph') return;
            state.tr.delete(range.from, range.to);
            // The state's transaction is the one that is run.
            commandOf(match)(state, () => {});
          },
        }),
    ),
  addProseMirrorPlugins: () => [history(), gapCursor(), dropCursor({ color: false, class: 'blocks-drop', width: 2 })],
});
