/** How the nodes of a blocks attribute are read, as recorded from Strapi 5.54
 *  (`create-attributes`). */
import { describe, expect, it } from 'vitest';
import { located, notNumber, notText, outcome, paragraph, read, recordedAttributes, textNode } from '../../../test/support/body-values.ts';
import type { ValueProblem } from './attribute-type.ts';

const { text } = recordedAttributes;
const image = {
  name: 'a',
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
  alternativeText: null,
};

describe('blocks', () => {
  const valid: readonly { it: string; nodes: readonly unknown[] }[] = [
    { it: 'paragraph', nodes: [{ type: 'paragraph', children: [{ type: 'text', text: 'hello', bold: true }] }] },
    { it: 'heading', nodes: [{ type: 'heading', level: 2, children: [textNode] }] },
    { it: 'quote', nodes: [{ type: 'quote', children: [textNode] }] },
    { it: 'code', nodes: [{ type: 'code', language: null, children: [textNode] }] },
    { it: 'image', nodes: [{ type: 'image', image, children: [] }] },
    { it: 'image without a size', nodes: [{ type: 'image', image: { ...image, width: undefined, height: null }, children: [] }] },
    {
      it: 'list',
      nodes: [
        {
          type: 'list',
          format: 'unordered',
          children: [
            { type: 'list-item', children: [{ type: 'link', url: 'https://example.com', children: [textNode] }] },
            { type: 'list', format: 'ordered', children: [{ type: 'list-item', children: [] }] },
          ],
        },
      ],
    },
    { it: 'keys of their own', nodes: [{ ...paragraph, align: 'left', number: 5 }] },
  ];
  it.each(valid)('$it', ({ nodes }) => expect(outcome(text, nodes)).toBe(JSON.stringify(nodes)));

  it('scalars are cast, and JSON text counts as its value', () => {
    const written = [
      { type: 'heading', level: '2', children: '[{"type":"text","text":"y"}]' },
      { type: 'paragraph', children: [{ ...textNode, text: 5, bold: 1 }] },
    ];
    expect(JSON.parse(String(outcome(text, JSON.stringify(written))))).toEqual([
      { type: 'heading', level: 2, children: [{ type: 'text', text: 'y' }] },
      { type: 'paragraph', children: [{ type: 'text', text: '5', bold: true }] },
    ]);
  });

  const at = (path: string, message: string, value?: unknown): ValueProblem => ({ ...located(message, value), path: path.split('.') });
  const isRequired = '{path} is a required field';
  const oneOf = (values: string) => `{path} must be one of the following values: ${values}`;
  const wrong: readonly { it: string; nodes: readonly unknown[]; problems: readonly ValueProblem[] }[] = [
    {
      it: 'unknown node',
      nodes: [{ type: 'unknown', children: [] }],
      problems: [at('0', 'Block node is of invalid type', { type: 'unknown', children: [] })],
    },
    { it: 'null for a node', nodes: [paragraph, null], problems: [at('1', 'Block node is of invalid type', null)] },
    { it: 'no children', nodes: [{ type: 'paragraph' }], problems: [at('0.children', isRequired)] },
    {
      it: 'heading level out of range',
      nodes: [{ type: 'heading', level: 9, children: [textNode] }],
      problems: [at('0.level', oneOf('1, 2, 3, 4, 5, 6'), 9)],
    },
    {
      it: 'heading level that is no number',
      nodes: [{ type: 'heading', level: 'big', children: [textNode] }],
      problems: [{ ...notNumber('"big"'), path: ['0', 'level'] }, at('0.level', oneOf('1, 2, 3, 4, 5, 6'), null)],
    },
    {
      it: 'no child in a paragraph',
      nodes: [{ type: 'paragraph', children: [] }],
      problems: [at('0.children', 'Paragraph node children must have at least one Text or Link node', [])],
    },
    {
      it: 'no child in a heading',
      nodes: [{ type: 'heading', level: 1, children: [] }],
      problems: [at('0.children', 'Heading node children must have at least one Text or Link node', [])],
    },
    {
      it: 'no child in a quote',
      nodes: [{ type: 'quote', children: [] }],
      problems: [at('0.children', 'Quote node children must have at least one Text or Link node', [])],
    },
    {
      it: 'no child in code',
      nodes: [{ type: 'code', children: [] }],
      problems: [at('0.children', 'Quote node children must have at least one Text or Link node', [])],
    },
    {
      it: 'no child in a list',
      nodes: [{ type: 'list', format: 'ordered', children: [] }],
      problems: [at('0.children', 'List node children must have at least one ListItem or ListNode', [])],
    },
    {
      it: 'list format',
      nodes: [{ type: 'list', format: 'round', children: [{ type: 'list-item', children: [] }] }],
      problems: [at('0.format', oneOf('ordered, unordered'), 'round')],
    },
    {
      it: 'a list with something else in it',
      nodes: [{ type: 'list', format: 'ordered', children: [textNode] }],
      problems: [at('0.children.0', 'Inline node must be list-item or list', textNode)],
    },
    {
      it: 'inline node of another kind',
      nodes: [{ type: 'paragraph', children: [paragraph] }],
      problems: [at('0.children.0', 'Inline node must be Text or Link', paragraph)],
    },
    {
      it: 'text without text',
      nodes: [{ type: 'paragraph', children: [{ type: 'text' }] }],
      problems: [at('0.children.0.text', 'Text must be defined with at least an empty string')],
    },
    {
      it: 'text that is null',
      nodes: [{ type: 'paragraph', children: [{ type: 'text', text: null }] }],
      problems: [{ ...notText('null', null), path: ['0', 'children', '0', 'text'] }],
    },
    {
      it: 'bold that is no boolean',
      nodes: [{ type: 'paragraph', children: [{ ...textNode, bold: 'very' }] }],
      problems: [at('0.children.0.bold', '{path} must be a `boolean` type, but the final value was: `"very"`.', 'very')],
    },
    {
      it: 'a link that could run a script',
      nodes: [{ type: 'paragraph', children: [{ type: 'link', url: 'javascript:alert(1)', children: [textNode] }] }],
      problems: [at('0.children.0.url', 'Please specify a valid link.', 'javascript:alert(1)')],
    },
    {
      it: 'a link without address and children',
      nodes: [{ type: 'paragraph', children: [{ type: 'link' }] }],
      problems: [at('0.children.0.url', 'Please specify a valid link.'), at('0.children.0.children', isRequired)],
    },
    {
      it: 'code with a link in it',
      nodes: [{ type: 'code', children: [{ type: 'link', text: 'x' }] }],
      problems: [at('0.children.0.type', oneOf('text'), 'link')],
    },
    {
      it: 'code with a number in it',
      nodes: [{ type: 'code', children: [5] }],
      problems: [at('0.children.0', '{path} must be a `object` type, but the final value was: `null` (cast from the value `5`).', null)],
    },
    {
      it: 'children that are no list',
      nodes: [{ type: 'quote', children: { a: 1 } }],
      problems: [
        at('0.children', '{path} must be a `array` type, but the final value was: `null` (cast from the value `{\n  "a": "1"\n}`).', null),
      ],
    },
    {
      it: 'an image of which little is known',
      nodes: [{ type: 'image', image: { ...image, name: '', size: undefined, width: 'x' }, children: [] }],
      problems: [
        at('0.image.name', isRequired, ''),
        { ...notNumber('"x"'), path: ['0', 'image', 'width'] },
        at('0.image.size', isRequired),
      ],
    },
  ];
  it.each(wrong)('$it', ({ nodes, problems }) => expect(read(text, nodes)).toEqual({ ok: false, problems }));

  it('an image node without an image lacks all that an image needs', () => {
    const result = read(text, [{ type: 'image', children: [] }]);
    expect(result.ok ? [] : result.problems.map(({ path }) => path.join('.'))).toContain('0.image.url');
  });
  it('the first hundred problems are enough', () => {
    const result = read(text, Array(100_000).fill(5));
    expect(result.ok ? 0 : result.problems.length).toBe(100);
  });
});
