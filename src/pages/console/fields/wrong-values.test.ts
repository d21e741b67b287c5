import { expect, it } from 'vitest';
import type { DescribedComponent } from '../../../http/endpoints/me/described-me.ts';
import { attribute } from '../document/described-attribute.ts';
import { wrongValues } from './wrong-values.ts';

const part: DescribedComponent = {
  uid: 'part.step',
  label: 'Step',
  attributes: [attribute('minutes', 'integer'), attribute('next', 'component', { component: 'part.step' })],
  groups: [],
};
const componentOf = (uid: string) => (uid === part.uid ? part : undefined);

it('finds what was typed and is no value, however deep', () => {
  const attributes = [
    attribute('title', 'string'),
    attribute('price', 'decimal'),
    attribute('day', 'date'),
    attribute('at', 'datetime'),
    attribute('steps', 'component', { component: part.uid, isMany: true }),
    attribute('zone', 'dynamiczone', { components: [part.uid], isMany: true }),
  ];
  const good = { title: '12x', price: 1.5, day: '2024-05-01', at: '2024-05-01T10:30:00.000Z', steps: [{ minutes: 3 }], zone: [] };
  expect(wrongValues(attributes, good, componentOf, '.')).toEqual([]);
  const wrong = {
    price: '12x',
    day: '…',
    at: '…',
    steps: [{ minutes: 1 }, { minutes: 'two', next: { minutes: '9.5' } }],
    zone: [
      { __component: part.uid, minutes: 'x' },
      { __component: 'part.gone', minutes: 'x' },
    ],
  };
  expect(wrongValues(attributes, wrong, componentOf, '.')).toEqual([
    { path: ['price'], word: 'fields.notNumber' },
    { path: ['day'], word: 'fields.incomplete' },
    { path: ['at'], word: 'fields.incomplete' },
    { path: ['steps', 1, 'minutes'], word: 'fields.notInteger' },
    { path: ['steps', 1, 'next', 'minutes'], word: 'fields.grouped' },
    { path: ['zone', 0, 'minutes'], word: 'fields.notInteger' },
  ]);
});
