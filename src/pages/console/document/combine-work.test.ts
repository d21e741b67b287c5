import { expect, it } from 'vitest';
import { type Combined, combine, type TypedValues } from './combine-work.ts';
import { attribute } from './described-attribute.ts';
import { joinerOf } from './links.ts';
import { sameIn } from './values.ts';

const attributes = [
  attribute('title', 'string'),
  attribute('summary', 'text'),
  attribute('tags', 'relation', { isMany: true, target: 'api::tag.tag' }),
];
const links = (...ids: readonly string[]) => ids.map((documentId) => ({ documentId }));

interface Case {
  readonly name: string;
  readonly parts: readonly TypedValues[];
  readonly combined: Combined;
}

it.each<Case>([
  {
    name: 'different attributes: all of them',
    parts: [
      { changes: { title: 'New' }, base: { title: 'Old' } },
      { changes: { summary: 'Short' }, base: { summary: 'Long' } },
    ],
    combined: { changes: { title: 'New', summary: 'Short' }, base: { title: 'Old', summary: 'Long' }, rivals: [] },
  },
  {
    name: 'the same value twice: nothing to ask',
    parts: [
      { changes: { title: 'New' }, base: { title: 'Old' } },
      { changes: { title: 'New' }, base: { title: 'Older' } },
    ],
    combined: { changes: { title: 'New' }, base: { title: 'Older' }, rivals: [] },
  },
  {
    name: 'different values: the last one, and a question for each before it',
    parts: [
      { changes: { title: 'One' }, base: { title: 'Old' } },
      { changes: { title: 'Two' }, base: { title: 'Old' } },
      { changes: { title: 'Three' }, base: { title: 'Old' } },
    ],
    combined: {
      changes: { title: 'Three' },
      base: { title: 'Old' },
      rivals: [
        { with: 'tab', names: ['title'], values: { title: 'One' } },
        { with: 'tab', names: ['title'], values: { title: 'Two' } },
      ],
    },
  },
  {
    name: 'links: what was linked in both, and without what was removed in one',
    parts: [
      { changes: { tags: links('a', 'b', 'c') }, base: { tags: links('a', 'b') } },
      { changes: { tags: links('b', 'd') }, base: { tags: links('a', 'b') } },
    ],
    combined: { changes: { tags: links('b', 'c', 'd') }, base: { tags: links('a', 'b') }, rivals: [] },
  },
])('$name', ({ parts, combined }) =>
  expect(combine(parts, { same: sameIn(attributes, () => undefined), join: joinerOf(attributes) })).toEqual(combined),
);
