/** Any commands, in any order, on any selection: the document stays valid, the server takes its
 *  blocks, blocks come back from the editor, and what the editor does not know is still there. */
import { history, undo } from '@tiptap/pm/history';
import { type Command, EditorState, TextSelection } from '@tiptap/pm/state';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { outcome, recordedAttributes } from '../../../../../test/support/body-values.ts';
import { type BlockKind, deleteBlock, moveBlock, removeLink, resetAtStart, setCodeLanguage, setKind, setLink } from './block-commands.ts';
import { nestItems, toggleList, unnestItems } from './list-commands.ts';
import { OpenBlocks } from './open-blocks.ts';
import { blocksSchema } from './schema.ts';

const text = (value: string, keys: object = {}) => ({ type: 'text', text: value, ...keys });
const item = (value: string) => ({ type: 'list-item', children: [text(value)] });
const value = [
  { type: 'heading', level: 1, children: [text('title')] },
  {
    type: 'paragraph',
    align: 'left',
    children: [text('a '), { type: 'link', url: '/x', rel: 'me', children: [text('b')] }, text('c', { color: 'red' })],
  },
  {
    type: 'list',
    format: 'unordered',
    children: [item('one'), { type: 'list', format: 'ordered', indentLevel: 1, children: [item('two'), item('three')] }, item('four')],
  },
  { type: 'list', format: 'unordered', children: [item('five')] },
  { type: 'code', language: 'css', children: [text('a\nb')] },
  { type: 'quote', children: [text('q')] },
  { type: 'paragraph', children: [text('')] },
];

const type: Command = ({ tr }, dispatch) => {
  dispatch?.(tr.insertText('x'));
  return true;
};

const command: fc.Arbitrary<Command> = fc.oneof(
  fc.constantFrom<BlockKind>('paragraph', 'heading2', 'quote', 'codeBlock').map(setKind),
  fc.constantFrom('ordered' as const, 'unordered' as const).map(toggleList),
  fc.constantFrom(nestItems, unnestItems, removeLink, resetAtStart, type, moveBlock('up'), moveBlock('down')),
  fc.constantFrom(setCodeLanguage('js'), setCodeLanguage(''), setLink('https://a.b', 'text'), deleteBlock),
);
const step = fc.record({ command, from: fc.double({ min: 0, max: 1, noNaN: true }), length: fc.nat({ max: 12 }) });

function run(
  state: EditorState,
  { command, from, length }: { readonly command: Command; readonly from: number; readonly length: number },
): EditorState {
  const at = Math.floor(from * state.doc.content.size);
  const selection = TextSelection.between(state.doc.resolve(at), state.doc.resolve(Math.min(at + length, state.doc.content.size)));
  let next = state.apply(state.tr.setSelection(selection));
  command(next, (tr) => {
    next = next.apply(tr);
  });
  return next;
}

it('leave blocks that the server takes', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
      const open = new OpenBlocks(blocksSchema, value);
      let state = EditorState.create({ doc: open.document });
      for (const each of steps) {
        state = run(state, each);
        state.doc.check();
      }
      const blocks = open.read(state.doc);
      // Nothing is left, after every block was deleted.
      expect(outcome(recordedAttributes.text, blocks)).toBe(blocks === null ? null : JSON.stringify(blocks));
      expect(new OpenBlocks(blocksSchema, blocks).document.toJSON()).toEqual(state.doc.toJSON());
    }),
    { numRuns: 400 },
  );
});

it('can all be undone, down to the same value', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), (steps) => {
      const open = new OpenBlocks(blocksSchema, value);
      let state = EditorState.create({ doc: open.document, plugins: [history()] });
      for (const each of steps) state = run(state, each);
      for (let count = 0; count < steps.length; count += 1)
        undo(state, (tr) => {
          state = state.apply(tr);
        });
      expect(open.read(state.doc)).toBe(value);
    }),
  );
});

it('lose nothing that the editor does not know', () => {
  const unknown = { type: 'table', rows: [1] };
  const mention = { type: 'mention', id: 5 };
  fc.assert(
    fc.property(
      fc.array(
        step.filter(({ command }) => command !== deleteBlock && command !== type),
        { maxLength: 8 },
      ),
      (steps) => {
        const open = new OpenBlocks(blocksSchema, [...value, unknown, { type: 'paragraph', children: [text('x'), mention] }]);
        let state = EditorState.create({ doc: open.document });
        for (const each of steps) state = run(state, each);
        const blocks = open.read(state.doc) ?? [];
        expect(blocks).toContain(unknown);
        expect(JSON.stringify(blocks)).toContain(JSON.stringify(mention));
      },
    ),
  );
});
