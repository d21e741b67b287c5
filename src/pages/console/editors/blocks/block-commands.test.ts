/** What the editor makes: each command, and that the server takes its result. */
import { Node } from '@tiptap/pm/model';
import { type Command, EditorState, NodeSelection, TextSelection } from '@tiptap/pm/state';
import { describe, expect, it } from 'vitest';
import { outcome, recordedAttributes } from '../../../../../test/support/body-values.ts';
import {
  type BlockKind,
  deleteBlock,
  insertImage,
  linkAt,
  moveBlock,
  removeLink,
  resetAtStart,
  setCodeLanguage,
  setKind,
  setLink,
} from './block-commands.ts';
import { nestItems, toggleList, unnestItems } from './list-commands.ts';
import { blocksSchema } from './schema.ts';
import { toBlocks } from './to-blocks.ts';
import { toDocument } from './to-document.ts';

const text = (value: string) => ({ type: 'text', text: value });
const paragraph = (value: string, keys: object = {}) => ({ type: 'paragraph', ...keys, children: [text(value)] });
const item = (value: string) => ({ type: 'list-item', children: [text(value)] });
const list = (...children: object[]) => ({ type: 'list', format: 'unordered', children });
const nested = (...children: object[]) => ({ ...list(...children), indentLevel: 1 });

/** A state whose selection is from the start of one text to the end of another. */
function stateOf(blocks: readonly unknown[], from = '', to = from): EditorState {
  const doc = Node.fromJSON(blocksSchema, toDocument(blocks));
  return EditorState.create({ doc, selection: TextSelection.create(doc, find(doc, from), find(doc, to) + to.length) });
}

function find(doc: Node, wanted: string): number {
  let found = 1;
  doc.descendants((node, position) => {
    if (node.text?.includes(wanted)) found = position + node.text.indexOf(wanted);
  });
  return found;
}

/** The blocks after the commands. Each state is valid, and the server takes its blocks. */
function blocksAfter(state: EditorState, ...commands: Command[]): readonly unknown[] {
  let current = state;
  for (const command of commands) {
    const done = command(current, (tr) => {
      current = current.apply(tr);
    });
    expect(done).toBe(true);
    current.doc.check();
  }
  return taken(current.doc);
}

function taken(doc: Node): readonly unknown[] {
  const blocks = toBlocks(doc, new WeakMap());
  expect(outcome(recordedAttributes.text, blocks)).toBe(JSON.stringify(blocks));
  return blocks;
}

describe('kinds', () => {
  const kinds: BlockKind[] = ['heading1', 'heading6', 'quote', 'codeBlock'];
  it.each(kinds)('%s and back', (kind) => {
    const blocks = [paragraph('a', { align: 'left' }), paragraph('b')];
    const made = blocksAfter(stateOf(blocks, 'a', 'b'), setKind(kind));
    expect(made).toHaveLength(2);
    expect(made[0]).toMatchObject({ align: 'left', children: [text('a')] });
    expect(blocksAfter(stateOf(blocks, 'a', 'b'), setKind(kind), setKind('paragraph'))).toEqual(blocks);
  });
  it('a code block has no links', () =>
    expect(blocksAfter(stateOf([paragraph('a')], 'a'), setLink('https://a.b', ''), setKind('codeBlock'))).toEqual([
      { type: 'code', children: [text('a')] },
    ]));
  it('the language of code', () =>
    expect(blocksAfter(stateOf([paragraph('a')], 'a'), setKind('codeBlock'), setCodeLanguage('css'))).toEqual([
      { type: 'code', language: 'css', children: [text('a')] },
    ]));
  it('Backspace at the start of a heading', () => {
    const state = stateOf([{ type: 'heading', level: 2, children: [text('ab')] }]);
    expect(blocksAfter(state, resetAtStart)).toEqual([paragraph('ab')]);
  });
});

describe('lists', () => {
  const three = [paragraph('a'), paragraph('b'), paragraph('c')];
  it('of several blocks', () =>
    expect(blocksAfter(stateOf(three, 'a', 'b'), toggleList('unordered'))).toEqual([list(item('a'), item('b')), paragraph('c')]));
  it('join with their neighbours', () =>
    expect(blocksAfter(stateOf([list(item('a')), paragraph('b'), list(item('c'))], 'b'), toggleList('unordered'))).toEqual([
      list(item('a'), item('b'), item('c')),
    ]));
  it('do not swallow images', () => {
    const image = { type: 'table', children: [text('')] };
    const state = stateOf([paragraph('a'), image, paragraph('b')], 'a', 'b');
    let { doc } = state;
    toggleList('unordered')(state, (tr) => {
      doc = tr.doc;
    });
    expect(toBlocks(doc, new WeakMap())).toEqual([list(item('a')), image, list(item('b'))]);
  });
  it('and back to paragraphs', () =>
    expect(blocksAfter(stateOf(three, 'a', 'c'), toggleList('ordered'), toggleList('ordered'))).toEqual(three));
  it('change their format', () =>
    expect(blocksAfter(stateOf([list(item('a'))], 'a'), toggleList('ordered'))).toEqual([{ ...list(item('a')), format: 'ordered' }]));
  it('an item in the middle leaves its list', () =>
    expect(blocksAfter(stateOf([list(item('a'), item('b'), item('c'))], 'b'), toggleList('unordered'))).toEqual([
      list(item('a')),
      paragraph('b'),
      list(item('c')),
    ]));
  it('an item nests in the list before it', () =>
    expect(blocksAfter(stateOf([list(item('a'), nested(item('b')), item('c'), item('d'))], 'c', 'd'), nestItems)).toEqual([
      list(item('a'), nested(item('b'), item('c'), item('d'))),
    ]));
  it('and comes back', () =>
    expect(blocksAfter(stateOf([list(item('a'), item('b'), item('c'))], 'b'), nestItems, unnestItems)).toEqual([
      list(item('a'), item('b'), item('c')),
    ]));
  it('levels are counted as in Strapi', () =>
    expect(blocksAfter(stateOf([list(item('a'), nested(item('b'), item('c')))], 'c'), nestItems)).toEqual([
      list(item('a'), nested(item('b'), { ...list(item('c')), indentLevel: 2 })),
    ]));
  it('the first item does not nest', () => expect(nestItems(stateOf([list(item('a'))], 'a'))).toBe(false));
  it('deep items become paragraphs', () => {
    const blocks = [list(item('a'), nested(item('b'), { ...list(item('c'), item('d')), indentLevel: 2 }, item('e')), item('f'))];
    expect(blocksAfter(stateOf(blocks, 'c'), toggleList('unordered'))).toEqual([
      list(item('a'), nested(item('b'))),
      paragraph('c'),
      list(nested({ ...list(item('d')), indentLevel: 2 }, item('e')), item('f')),
    ]);
    const all = ['a', 'b', 'c', 'd', 'e', 'f'].map((each) => paragraph(each));
    expect(blocksAfter(stateOf(blocks, 'a', 'f'), toggleList('unordered'))).toEqual(all);
    const headings = all.map(({ children }) => ({ type: 'heading', level: 2, children }));
    expect(blocksAfter(stateOf(blocks, 'a', 'f'), setKind('heading2'))).toEqual(headings);
  });
});

describe('links', () => {
  it('of the selected text', () =>
    expect(blocksAfter(stateOf([paragraph('a b c')], 'b'), setLink('https://a.b', ''))).toEqual([
      { type: 'paragraph', children: [text('a '), { type: 'link', url: 'https://a.b', children: [text('b')] }, text(' c')] },
    ]));
  it('where nothing is selected', () => {
    const state = stateOf([paragraph('')]);
    const link = { type: 'link', url: '/a', children: [text('there')] };
    expect(blocksAfter(state, setLink('/a', 'there'))).toEqual([{ type: 'paragraph', children: [text(''), link, text('')] }]);
  });
  it('keep their keys when their URL changes', () => {
    const link = { type: 'link', url: '/a', rel: 'me', children: [text('x'), { ...text('y'), bold: true }] };
    const state = stateOf([{ type: 'paragraph', children: [text('a'), link, text('b')] }], 'y');
    expect(linkAt(state)).toMatchObject({ url: '/a', from: 2, to: 4 });
    expect(blocksAfter(state, setLink('/b', ''))).toEqual([
      { type: 'paragraph', children: [text('a'), { ...link, url: '/b' }, text('b')] },
    ]);
    expect(blocksAfter(state, removeLink)).toEqual([
      { type: 'paragraph', children: [text('ax'), { ...text('y'), bold: true }, text('b')] },
    ]);
  });
  it.each(['javascript:alert(1)', ' javascript:alert(1)', 'JAVASCRIPT:x', 'data:text/html,x', 'vbscript:x', 'foo', '#a', ''])(
    'not to %s',
    (url) => expect(setLink(url, 'x')(stateOf([paragraph('a')], 'a'))).toBe(false),
  );
});

describe('images', () => {
  const file = {
    id: 7,
    documentId: 'x',
    name: 'a.png',
    alternativeText: null,
    url: '/a.png',
    width: 1,
    height: 2,
    hash: 'a',
    ext: '.png',
    mime: 'image/png',
    size: 1.5,
    provider: 'local',
    createdAt: '2024-01-01',
    updatedAt: '2024-01-01',
    formats: null,
  };
  const { id: _, documentId: __, ...image } = file;
  const node = { type: 'image', image, children: [text('')] };
  it('instead of an empty paragraph', () =>
    expect(blocksAfter(stateOf([paragraph('')]), insertImage(file))).toEqual([node, paragraph('')]));
  it('below a block', () =>
    expect(blocksAfter(stateOf([list(item('a'), item('b')), paragraph('c')], 'a'), insertImage(file))).toEqual([
      list(item('a'), item('b')),
      node,
      paragraph('c'),
    ]));
});

describe('blocks', () => {
  const blocks = [paragraph('a'), list(item('b')), paragraph('c')];
  it('move', () => {
    expect(blocksAfter(stateOf(blocks, 'b'), moveBlock('up'))).toEqual([blocks[1], blocks[0], blocks[2]]);
    expect(blocksAfter(stateOf(blocks, 'b'), moveBlock('down'), moveBlock('up'))).toEqual(blocks);
    expect(moveBlock('up')(stateOf(blocks, 'a'))).toBe(false);
    expect(moveBlock('down')(stateOf(blocks, 'c'))).toBe(false);
  });
  it('that the editor does not know move, and can be deleted', () => {
    const unknown = { type: 'table', rows: 5 };
    const doc = Node.fromJSON(blocksSchema, toDocument([paragraph('a'), unknown]));
    let state = EditorState.create({ doc, selection: NodeSelection.create(doc, 3) });
    moveBlock('up')(state, (tr) => {
      state = state.apply(tr);
    });
    expect(toBlocks(state.doc, new WeakMap())).toEqual([unknown, paragraph('a')]);
    expect(blocksAfter(state, deleteBlock)).toEqual([paragraph('a')]);
  });
  it('the last one leaves an empty paragraph', () =>
    expect(blocksAfter(stateOf([paragraph('a')], 'a'), deleteBlock)).toEqual([paragraph('')]));
});
