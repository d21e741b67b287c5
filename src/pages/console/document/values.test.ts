import { expect, it } from 'vitest';
import type { DescribedComponent } from '../../../http/endpoints/me/described-me.ts';
import { bodyOf } from './body-of.ts';
import { attribute } from './described-attribute.ts';
import { copyOf, isSame, isSameContent, merge, sameIn, withKeys } from './values.ts';

const step: DescribedComponent = {
  uid: 'part.step',
  label: 'Step',
  attributes: [
    attribute('label', 'string'),
    attribute('fixed', 'string', { canUpdate: false }),
    attribute('data', 'json'),
    attribute('tags', 'relation', { isMany: true, target: 'api::tag.tag' }),
    attribute('inner', 'component', { component: 'part.step' }),
  ],
  groups: [],
};
const componentOf = (uid: string) => (uid === step.uid ? step : undefined);
const steps = attribute('steps', 'component', { component: step.uid, isMany: true });
const zone = attribute('zone', 'dynamiczone', { components: [step.uid], isMany: true });

it('a stored entry says only what has changed, a new one what it has', () => {
  const before = [
    { id: 1, label: 'Knead', fixed: 'x', tags: [{ documentId: 'a' }] },
    { id: 2, label: 'Rest' },
  ];
  const after = [
    { id: 2, label: 'Rest' },
    { id: 1, label: 'Fold', fixed: 'y', tags: [{ documentId: 'a' }, { documentId: 'b' }] },
    { __key: 'n1', label: 'Bake', data: null, inner: { __key: 'n2', label: 'Heat' } },
  ];
  expect(bodyOf(steps, after, before, componentOf)).toEqual([
    { id: 2 },
    {
      id: 1,
      label: 'Fold',
      tags: { connect: [{ documentId: 'b', position: { end: true } }], disconnect: [], options: { strict: false } },
    },
    { label: 'Bake', inner: { label: 'Heat' } },
  ]);
});

it('entries of a zone name their component, whose ids may be the same', () => {
  const before = [
    { __component: 'part.other', id: 1, label: 'Other' },
    { __component: step.uid, id: 1, label: 'Rest' },
  ];
  expect(bodyOf(zone, [before[1]], before, componentOf)).toEqual([{ __component: step.uid, id: 1 }]);
});

it('a copy has components of its own, links to the same documents, and JSON as it is', () => {
  const entry = {
    id: 1,
    label: 'Knead',
    data: { id: 5, documentId: 'x' },
    tags: [{ id: 3, documentId: 'a', locale: 'en' }],
    inner: { id: 9, label: 'i' },
  };
  expect(copyOf(steps, [entry], componentOf, 'de')).toEqual([
    {
      __key: expect.any(String),
      label: 'Knead',
      data: { id: 5, documentId: 'x' },
      tags: [{ id: 3, documentId: 'a', locale: 'de' }],
      inner: { __key: expect.any(String), label: 'i' },
    },
  ]);
});

it('versions with the same content are the same', () => {
  expect(isSameContent(steps, [{ id: 1, label: 'a' }], [{ id: 7, label: 'a', data: null }], componentOf)).toBe(true);
  expect(isSameContent(steps, [{ id: 1, label: 'a' }], [{ id: 1, label: 'b' }], componentOf)).toBe(false);
});

it('entries keep their keys when they are stored', () => {
  const typed = [
    { __key: 'n1', label: 'a', inner: { __key: 'n2', label: 'i' } },
    { id: 4, label: 'b' },
  ];
  const stored = [
    { id: 9, label: 'a', inner: { id: 8, label: 'i' } },
    { id: 4, label: 'b' },
  ];
  expect(withKeys(stored, typed)).toEqual([
    { id: 9, label: 'a', inner: { id: 8, label: 'i', __key: 'n2' }, __key: 'n1' },
    { id: 4, label: 'b' },
  ]);
  expect(withKeys([{ id: 1, label: 'z' }, ...stored], typed)).toEqual([{ id: 1, label: 'z' }, ...stored]);
});

it('a merge keeps what was typed, and tells what others have changed as well', () => {
  const merged = merge(
    { title: 'Mine', summary: 'Mine' },
    { title: 'Old', summary: 'Old' },
    { title: 'Old', summary: 'Theirs' },
    { same: sameIn([attribute('title', 'string'), attribute('summary', 'string')], componentOf) },
  );
  expect(merged).toEqual({ kept: { title: 'Mine', summary: 'Mine' }, conflicts: ['summary'] });
});

it('every detail of JSON is content, and of a document only which one it is', () => {
  const same = (type: string, a: unknown, b: unknown) => isSame(attribute('x', type), a, b, componentOf);
  expect(same('json', { a: null }, { a: '' })).toBe(false);
  expect(same('json', { documentId: 'a', n: 1 }, { documentId: 'a', n: 2 })).toBe(false);
  expect(same('json', [], null)).toBe(false);
  expect(same('blocks', [], null)).toBe(false);
  expect(same('relation', { documentId: 'a', name: 'old' }, { documentId: 'a', name: 'new' })).toBe(true);
  expect(same('relation', null, [])).toBe(true);
  expect(same('string', null, '')).toBe(true);
  expect(same('integer', 0, null)).toBe(false);
});
