/** Values survive the editor: blocks → document → blocks, through ProseMirror's own JSON. */
import { Node } from '@tiptap/pm/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isObject, type JsonObject } from '../../../../text/json.ts';
import { blocksSchema } from './schema.ts';
import { toBlocks } from './to-blocks.ts';
import { toDocument } from './to-document.ts';

function throughEditor(blocks: readonly unknown[]): readonly unknown[] {
  const node = Node.fromJSON(blocksSchema, toDocument(blocks));
  node.check();
  return toBlocks(Node.fromJSON(blocksSchema, JSON.parse(JSON.stringify(node.toJSON()))), new WeakMap());
}

const text = (value: string, keys: JsonObject = {}) => ({ type: 'text', text: value, ...keys });
const paragraph = (...children: unknown[]) => ({ type: 'paragraph', children });

describe('what comes back unchanged', () => {
  const item = (value: string) => ({ type: 'list-item', children: [text(value)] });
  const link = { type: 'link', url: 'https://example.com', rel: 'nofollow', children: [text('a', { bold: true }), text('b')] };
  const cases: Readonly<Record<string, unknown>> = {
    'a paragraph with formats': paragraph(
      text('a', { bold: true, italic: true }),
      text('b', { underline: true, strikethrough: true, code: true }),
    ),
    'an empty paragraph': paragraph(text('')),
    'line breaks and spaces': paragraph(text('  a\n\n  b\t\n')),
    'formats that are off': paragraph(text('a', { bold: false }), text('b')),
    'unknown keys of texts': paragraph(text('a', { color: { name: 'red' }, bold: true }), text('b', { color: null })),
    'unknown keys of blocks': { ...paragraph(text('a')), align: 'left', keys: [1], level: 3, format: 'x' },
    'a link between texts': paragraph(text('x '), link, text(' y')),
    'a link alone, as Strapi writes it': paragraph(text(''), link, text('')),
    'two links': paragraph(text(''), link, text(''), { ...link, url: '/b' }, text('')),
    'a link that could run a script': paragraph(text(''), { ...link, url: 'javascript:alert(1)' }, text('')),
    'a link without a text': paragraph(text('x'), { ...link, children: [text('')] }),
    'a link with something else in it': paragraph({ ...link, children: [{ type: 'mention' }] }),
    'an inline node of another type': paragraph(text('x'), { type: 'mention', id: 5, children: [text('')] }),
    'a heading': { type: 'heading', level: 6, anchor: 'a', children: [text('x')] },
    'a heading of level 7': { type: 'heading', level: 7, children: [text('x')] },
    'a quote': { type: 'quote', children: [text('x')] },
    code: { type: 'code', language: 'typescript', children: [text('if (a) {\n  b();\n}')] },
    'code without a language': { type: 'code', language: null, children: [text('a')] },
    'code with a link': { type: 'code', children: [link] },
    'nested lists': {
      type: 'list',
      format: 'unordered',
      children: [
        item('a'),
        {
          type: 'list',
          format: 'ordered',
          indentLevel: 1,
          children: [item('b'), { type: 'list', format: 'unordered', children: [item('c')] }],
        },
        { ...item('d'), checked: true },
      ],
    },
    'a list with something else in it': { type: 'list', format: 'ordered', children: [item('a'), { type: 'task' }] },
    'an empty list': { type: 'list', format: 'ordered', children: [] },
    'a list that nests a hundred deep': Array.from({ length: 100 }).reduce(
      (inner) => ({ type: 'list', format: 'ordered', children: [inner] }),
      item('deep'),
    ),
    'an image': { type: 'image', image: { url: '/a.png', name: 'a', formats: { small: { url: '/s' } } }, width: 5, children: [text('')] },
    'an image with a text': { type: 'image', image: { url: '/a.png' }, children: [text('caption')] },
    'an image without a file': { type: 'image', image: null, children: [text('')] },
    'a block of another type': { type: 'table', rows: [[1]], children: [paragraph(text('x'))] },
    'names of the editor': { type: 'keptBlock', value: 5, children: [{ type: 'otherKeys' }, { type: '__proto__' }] },
    'no children': { type: 'paragraph' },
    'no object': 5,
    nothing: null,
  };
  it.each(Object.entries(cases))('%s', (_, block) => expect(throughEditor([block, paragraph(text('end'))])[0]).toStrictEqual(block));

  it('keys that objects inherit', () => {
    const block = JSON.parse(
      '{"type":"paragraph","__proto__":{"a":1},"children":[{"type":"text","text":"x","__proto__":5,"constructor":1}]}',
    );
    expect(JSON.stringify(throughEditor([block])[0])).toContain('"__proto__":5');
    expect(JSON.stringify(throughEditor([block])[0])).toContain('"__proto__":{"a":1}');
  });
});

describe("what Strapi's editor changes as well", () => {
  it('joins texts and links with the same keys', () => {
    const link = { type: 'link', url: '/a' };
    const block = paragraph(text('a'), text('b'), { ...link, children: [text('c')] }, { ...link, children: [text('d')] }, text('e'));
    expect(throughEditor([block])).toEqual([paragraph(text('ab'), { ...link, children: [text('cd')] }, text('e'))]);
  });
  it('empty texts', () => {
    const link = { type: 'link', url: '/a', children: [text('c')] };
    expect(throughEditor([paragraph(text('', { bold: true }), text('a'), text('')), paragraph(link)])).toEqual([
      paragraph(text('a')),
      paragraph(text(''), link, text('')),
    ]);
  });
  it('no blocks are an empty paragraph', () => expect(throughEditor([])).toEqual([paragraph(text(''))]));
});

/** The two changes that `to-blocks.ts` names, made to a value directly. */
function normalised(children: readonly JsonObject[]): JsonObject[] {
  const joined: JsonObject[] = [];
  for (const child of children.filter((each) => each.type !== 'text' || each.text !== '')) {
    const last = joined.at(-1);
    if (last?.type === 'text' && sameKeys(last, child, 'text')) joined[joined.length - 1] = { ...last, text: `${last.text}${child.text}` };
    else if (last?.type === 'link' && isFilled(last) && isFilled(child) && sameKeys(last, child, 'children'))
      joined[joined.length - 1] = { ...last, children: [...listOf(last.children), ...listOf(child.children)] };
    else joined.push(child);
  }
  const inner = joined.map((child) =>
    child.type === 'link' && isFilled(child) ? { ...child, children: normalised(listOf(child.children)) } : child,
  );
  const result: JsonObject[] = [];
  for (const [index, child] of inner.entries()) {
    const isLink = child.type === 'link' && isFilled(child);
    if (isLink && result.at(-1)?.type !== 'text') result.push(text(''));
    result.push(child);
    if (isLink && inner[index + 1]?.type !== 'text') result.push(text(''));
  }
  return result.length === 0 ? [text('')] : result;
}

const listOf = (value: unknown) => (Array.isArray(value) ? (value as JsonObject[]) : []);
const isFilled = (child: JsonObject) => listOf(child.children).some((each) => each.text !== '');
const sameKeys = (left: JsonObject, right: JsonObject, but: string) =>
  JSON.stringify(sorted({ ...left, [but]: 0 })) === JSON.stringify(sorted({ ...right, [but]: 0 }));
const sorted = (object: JsonObject) => Object.entries(object).sort(([left], [right]) => (left < right ? -1 : 1));

function normalisedBlock(block: unknown): unknown {
  if (!isObject(block)) return block;
  if (block.type === 'list') return { ...block, children: listOf(block.children).map(normalisedBlock) };
  if (['paragraph', 'heading', 'quote', 'code', 'list-item'].includes(String(block.type)))
    return { ...block, children: normalised(listOf(block.children)) };
  return block;
}

describe('any blocks', () => {
  const json = fc.jsonValue({ maxDepth: 2 });
  const keysBut = (...names: string[]) =>
    fc.dictionary(fc.string({ maxLength: 6 }), json, { maxKeys: 2 }).map((keys) => {
      const rest = Object.entries(keys).filter(
        ([key]) => !['type', 'children', 'text', 'url', 'level', 'format', 'image', ...names].includes(key),
      );
      return Object.fromEntries(rest);
    });
  const flags = fc.record(
    { bold: fc.boolean(), italic: fc.boolean(), underline: fc.boolean(), strikethrough: fc.boolean(), code: fc.boolean() },
    { requiredKeys: [] },
  );
  const node = (type: string, own: fc.Arbitrary<JsonObject>, children?: fc.Arbitrary<unknown[]>) =>
    fc
      .tuple(fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, keysBut()), own, children ?? fc.constant(undefined))
      .map(([keys, members, list]) => ({ ...keys, type, ...members, ...(list === undefined ? {} : { children: list }) }));
  const textNode = node(
    'text',
    fc
      .tuple(fc.constantFrom('', 'a', 'b c', '\n', '  ', 'ä😀'), fc.oneof(fc.constant({}), flags))
      .map(([value, on]) => ({ ...on, text: value })),
  );
  const linkNode = node(
    'link',
    fc.record({ url: fc.constantFrom('https://a.b', '/c', 'javascript:d') }),
    fc.array(textNode, { maxLength: 3 }),
  );
  const other = node('mention', fc.record({ id: fc.integer() }));
  const inline = fc.array(
    fc.oneof({ weight: 4, arbitrary: textNode }, { weight: 2, arbitrary: linkNode }, { weight: 1, arbitrary: other }),
    { maxLength: 5 },
  );
  const nothing = fc.constant({});
  const { list } = fc.letrec<{ list: JsonObject }>((tie) => ({
    list: node(
      'list',
      fc.record({ format: fc.constantFrom('ordered', 'unordered') }),
      fc.array(fc.oneof({ maxDepth: 3 }, node('list-item', nothing, inline), tie('list')), { minLength: 1, maxLength: 3 }),
    ),
  }));
  const blocks = fc.array(
    fc.oneof(
      node('paragraph', nothing, inline),
      node('quote', nothing, inline),
      node('heading', fc.record({ level: fc.integer({ min: 1, max: 6 }) }), inline),
      node('code', fc.record({ language: fc.constantFrom(null, 'ts') }, { requiredKeys: [] }), fc.array(textNode, { maxLength: 3 })),
      list,
      node('image', fc.record({ image: fc.record({ url: fc.webUrl(), formats: json }) }), fc.array(textNode, { maxLength: 2 })),
      node('table', fc.record({ rows: json })),
      json,
    ),
    { minLength: 1, maxLength: 6 },
  );

  it('come back, but for joined neighbours and empty texts', () => {
    fc.assert(
      fc.property(blocks, (value) => {
        const expected = JSON.parse(JSON.stringify(value.map(normalisedBlock)));
        expect(JSON.parse(JSON.stringify(throughEditor(value)))).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });
  it('come back the same from what came back', () => {
    fc.assert(
      fc.property(blocks, (value) => {
        const once = throughEditor(value);
        expect(throughEditor(once)).toEqual(once);
      }),
    );
  });
});
