import { describe, expect, it } from 'vitest';
import type { DescribedComponent } from '../../../http/endpoints/me/described-me.ts';
import { attribute } from './described-attribute.ts';
import { keptOf, lostNames, movedTo } from './kept-values.ts';
import type { Values } from './values.ts';

const door: DescribedComponent = {
  uid: 'part.door',
  label: 'Door',
  attributes: [
    attribute('label', 'string'),
    attribute('code', 'password'),
    attribute('inner', 'component', { component: 'part.door' }),
    attribute('zone', 'dynamiczone', { components: ['part.door'], isMany: true }),
  ],
  groups: [],
};
const componentOf = (uid: string) => (uid === door.uid ? door : undefined);
const attributes = [
  attribute('title', 'string', { default: 'Untitled' }),
  attribute('pin', 'password'),
  attribute('door', 'component', { component: door.uid }),
  attribute('doors', 'component', { component: door.uid, isMany: true }),
  attribute('zone', 'dynamiczone', { components: [door.uid], isMany: true }),
  attribute('fixed', 'string', { canCreate: false }),
];

interface Case {
  readonly name: string;
  readonly changes: Values;
  readonly stored?: Values;
  readonly kept: Values;
}

describe('of these changes, the browser keeps', () => {
  it.each<Case>([
    { name: 'a text', changes: { title: 'Fog' }, kept: { title: 'Fog' } },
    { name: 'no password', changes: { pin: 'Sesame-1' }, kept: {} },
    {
      name: 'none in a component',
      changes: { door: { id: 1, label: 'Hall', code: 'Sesame-1' } },
      stored: { door: { id: 1, label: 'Porch' } },
      kept: { door: { id: 1, label: 'Hall' } },
    },
    {
      name: 'nothing where a password alone was typed',
      changes: { door: { id: 1, label: 'Hall', code: 'Sesame-1' } },
      stored: { door: { id: 1, label: 'Hall' } },
      kept: {},
    },
    {
      name: 'none in a list',
      changes: { doors: [{ label: 'Hall', code: 'Sesame-1' }, { code: 'Sesame-2' }] },
      kept: { doors: [{ label: 'Hall' }, {}] },
    },
    {
      name: 'none in a zone within a component of a zone',
      changes: {
        zone: [{ __component: door.uid, inner: { code: 'Sesame-1', zone: [{ __component: door.uid, label: 'Attic', code: 'Sesame-2' }] } }],
      },
      kept: { zone: [{ __component: door.uid, inner: { zone: [{ __component: door.uid, label: 'Attic' }] } }] },
    },
  ])('$name', ({ changes, stored = {}, kept }) =>
    expect(keptOf({ attributes }, changes, stored, componentOf)).toEqual({
      changes: kept,
      base: Object.fromEntries(Object.keys(kept).map((name) => [name, stored[name]])),
    }),
  );

  it('no password that was stored', () =>
    expect(keptOf({ attributes }, { door: null }, { door: { id: 1, code: 'Sesame-1' } }, componentOf)).toEqual({
      changes: { door: null },
      base: { door: { id: 1 } },
    }));
});

describe('a new document of kept changes', () => {
  const work = { title: 'Fog', changes: { doors: [{ id: 7, label: 'Hall', code: 'Sesame-1' }], fixed: 'x', removed: 1 } };

  it('has copies of components, and the title', () =>
    expect(movedTo(attributes, work, { componentOf, locale: undefined, title: 'title' })).toEqual({
      changes: { title: 'Fog', doors: [{ label: 'Hall', __key: expect.any(String) }] },
      base: { title: 'Untitled' },
    }));

  it('lacks what may not be written, and what the type has no longer', () =>
    expect(lostNames(attributes, work.changes)).toEqual(['fixed', 'removed']));
});
