/** Random commands, and examples that are always run. */
import fc from 'fast-check';
import type { Placed } from './model.ts';
import { type Locale, type Relation, relations, sides } from './types.ts';

/** Numbers choose among what there is when the command is carried out, so that any sequence means something and shrinks well. */
export interface Command {
  readonly action: 'set' | 'change' | 'publish' | 'unpublish' | 'discard' | 'delete';
  readonly doc: number;
  readonly locale: Locale;
  readonly side: number;
  readonly targets: readonly number[];
  readonly disconnect: readonly number[];
  readonly at: Placed['at'];
  readonly anchor: number;
  /** In a body: the document is published too. In other commands: they apply to all locales. */
  readonly published: boolean;
}

const number = fc.nat({ max: 11 });
export const command: fc.Arbitrary<Command> = fc.record({
  action: fc.oneof(
    { weight: 6, arbitrary: fc.constant('set' as const) },
    { weight: 8, arbitrary: fc.constant('change' as const) },
    { weight: 8, arbitrary: fc.constant('publish' as const) },
    { weight: 2, arbitrary: fc.constant('unpublish' as const) },
    { weight: 2, arbitrary: fc.constant('discard' as const) },
    { weight: 1, arbitrary: fc.constant('delete' as const) },
  ),
  doc: number,
  locale: fc.oneof({ weight: 4, arbitrary: fc.constant('en' as const) }, { weight: 1, arbitrary: fc.constant('fr' as const) }),
  side: number,
  targets: fc.array(number, { maxLength: 4 }),
  disconnect: fc.array(number, { maxLength: 2 }),
  at: fc.constantFrom('none', 'start', 'end', 'before', 'after'),
  anchor: number,
  published: fc.boolean(),
});

const documents = [0, 1, 2, 3, 4, 5];
const none: Omit<Command, 'action'> = {
  doc: 0,
  locale: 'en',
  side: 0,
  targets: [],
  disconnect: [],
  at: 'none',
  anchor: 0,
  published: false,
};
/** Each side of each relation: lists of all that there is, one way and the other, of which something is published later, twice. */
const eachSide = sides.map(({ relation: each, owning }): [Relation[], Command[]] => {
  const lists = [
    [0, 1, 2],
    [2, 1, 0],
  ].map((targets, doc): Command => ({ ...none, action: 'set', doc, side: owning ? 0 : 1, targets, published: true }));
  const all = (action: Command['action']) => documents.map((doc): Command => ({ ...none, action, doc }));
  return [[each], [...lists, ...all('publish'), ...all('unpublish'), ...all('publish').reverse()]];
});

/** A book that cites itself, cited by another one before. */
const itself = [1, 0].map((doc): Command => ({ ...none, action: 'change', doc, targets: [0], published: doc === 0 }));
/** A book that comes onto a shelf in two locales, the second one first, and is published in both at once. */
const inLocales: Command[] = [
  ...(['fr', 'en'] as const).map((locale): Command => ({ ...none, action: 'set', locale, side: 1, targets: [0] })),
  { ...none, action: 'unpublish' },
  { ...none, action: 'publish', published: true },
];
export const examples: [Relation[], Command[]][] = [
  ...eachSide,
  [relations.filter(({ inverse }) => inverse === 'citedBy'), itself],
  [relations.filter(({ inverse }) => inverse === 'shelf'), inLocales],
];
