import { EditorState, type TransactionSpec } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { insertFile, insertLink, nextHeading, toggleLines, toggleMarker, withBreaksOf } from './markdown-changes.ts';

/** The state of a text in which `‹` and `›` stand around the selection, or `|` for the cursor. */
function stateOf(marked: string): EditorState {
  const anchor = marked.search(/[‹|]/);
  const text = marked.replace(/[‹|]/, '');
  const head = text.includes('›') ? text.indexOf('›') : anchor;
  return EditorState.create({ doc: text.replace('›', ''), selection: { anchor, head } });
}

function changed(marked: string, change: (state: EditorState) => TransactionSpec): string {
  const state = stateOf(marked);
  const { state: next } = state.update(change(state));
  const { from, to, empty } = next.selection.main;
  const text = next.doc.toString();
  return empty ? `${text.slice(0, from)}|${text.slice(from)}` : `${text.slice(0, from)}‹${text.slice(from, to)}›${text.slice(to)}`;
}

describe('markers', () => {
  it.each([
    ['a ‹b› c', '**', 'a **‹b›** c'],
    ['a **‹b›** c', '**', 'a ‹b› c'],
    ['a **‹b›** c', '*', 'a ***‹b›*** c'],
    ['a ***‹b›*** c', '*', 'a **‹b›** c'],
    ['some wo|rd', '**', 'some **wo|rd**'],
    ['some **wo|rd**', '**', 'some wo|rd'],
    ['a **b|** c', '**', 'a **b**| c'],
    ['a | b', '`', 'a `|` b'],
    ['a `|` b', '`', 'a | b'],
  ])('%s with %s', (before, marker, expected) => expect(changed(before, (state) => toggleMarker(state, marker))).toBe(expected));
});

describe('lines', () => {
  it('headings go round', () => {
    expect(changed('a|', nextHeading)).toBe('# a|');
    expect(changed('## a|', nextHeading)).toBe('### a|');
    expect(changed('### a|', nextHeading)).toBe('a|');
    expect(changed('|', nextHeading)).toBe('# |');
  });
  it.each([
    ['‹a\n\nb›', 'unordered', '- ‹a\n\n- b›'],
    ['- ‹a\n- b›', 'unordered', '‹a\nb›'],
    ['- ‹a\n  - b›', 'ordered', '1. ‹a\n  2. b›'],
    ['1. ‹a\n2. b›', 'unordered', '- ‹a\n- b›'],
    ['|', 'unordered', '- |'],
    ['‹a\nb›', 'quote', '> ‹a\n> b›'],
  ] as const)('%j as %s', (before, kind, expected) => expect(changed(before, (state) => toggleLines(state, kind))).toBe(expected));
});

describe('links and files', () => {
  const ids = { id: 1, documentId: 'a' };
  it('of the selection', () =>
    expect(changed('a ‹b› c', (state) => insertLink(state, 'https://a.b/c (d)'))).toBe('a [b](https://a.b/c%20%28d%29)| c'));
  it('where nothing is selected', () => expect(changed('a |', (state) => insertLink(state, '/x', 'y ] z'))).toBe('a [y \\] z](/x)|'));
  it('images', () => {
    expect(changed('|', (state) => insertFile(state, { ...ids, name: 'a].png', url: '/a.png', mime: 'image/png' }))).toBe(
      '![a\\].png](/a.png)|',
    );
    const file = { ...ids, name: 'a.png', url: '/a.png', alternativeText: 'A hill', mime: 'image/png' };
    expect(changed('|', (state) => insertFile(state, file))).toBe('![A hill](/a.png)|');
  });
  it('other files', () =>
    expect(changed('|', (state) => insertFile(state, { ...ids, name: 'a.pdf', url: '/a.pdf', mime: 'application/pdf' }))).toBe(
      '[a.pdf](/a.pdf)|',
    ));
});

it('line breaks stay what they were', () => {
  expect(withBreaksOf('a\nb\nc', 'a\r\nb')).toBe('a\r\nb\r\nc');
  expect(withBreaksOf('a\nb', 'a\nb')).toBe('a\nb');
  expect(withBreaksOf('a\nb', 'a\r\nb\nc')).toBe('a\nb');
});
