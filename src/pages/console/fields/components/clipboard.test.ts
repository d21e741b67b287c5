import { expect, it } from 'vitest';
import type { DescribedComponent } from '../../../../http/endpoints/me/described-me.ts';
import { attribute } from '../../document/described-attribute.ts';
import { copiedText, pastedComponent } from './clipboard.ts';

const step: DescribedComponent = {
  uid: 'part.step',
  label: 'Step',
  attributes: [
    attribute('label', 'string'),
    attribute('secret', 'string', { canCreate: false }),
    attribute('data', 'json'),
    attribute('next', 'component', { component: 'part.step' }),
    attribute('others', 'component', { component: 'part.step', isMany: true }),
    attribute('zone', 'dynamiczone', { components: ['part.step'], isMany: true }),
    attribute('tags', 'relation', { isMany: true, target: 'api::tag.tag' }),
  ],
  groups: [],
};
const componentOf = (uid: string) => (uid === step.uid ? step : undefined);
const paste = (text: string, uids = ['part.step'], inZone = false) => pastedComponent(text, uids, componentOf, inZone);
const withoutKeys = (value: unknown) => JSON.parse(JSON.stringify(value, (key, each) => (key === '__key' ? undefined : each)));

it('pastes what was copied, as components of their own', () => {
  const value = {
    id: 3,
    label: 'Knead',
    data: { a: [1] },
    next: { id: 4, label: 'Rest' },
    others: [{ id: 5, label: 'Bake' }],
    zone: [{ id: 6, __component: 'part.step', label: 'Cool' }],
    tags: [{ id: 1, documentId: 'abc', name: 'Bread' }],
  };
  const pasted = paste(copiedText('part.step', value, componentOf));
  expect(withoutKeys(pasted)).toEqual({
    label: 'Knead',
    data: { a: [1] },
    next: { label: 'Rest' },
    others: [{ label: 'Bake' }],
    zone: [{ __component: 'part.step', label: 'Cool' }],
    tags: value.tags,
  });
  expect(pasted?.__key).toMatch(/^p/);
  expect(paste(copiedText('part.step', value, componentOf), ['part.step'], true)?.__component).toBe('part.step');
});

it('takes nothing that does not fit', () => {
  const text = copiedText('part.step', { label: 'x' }, componentOf);
  expect(paste(text, ['part.quote'])).toBeUndefined();
  expect(paste('{"a": 1}')).toBeUndefined();
  expect(paste('not JSON')).toBeUndefined();
  expect(paste(JSON.stringify({ lectern: 'component', uid: 'part.step', value: 7 }))).toBeUndefined();
  const odd = {
    secret: 'no',
    other: 'no',
    label: { a: 1 },
    next: [1],
    others: 'x',
    zone: [{ __component: 'part.gone' }],
    tags: [{ id: 1 }, 7],
  };
  expect(withoutKeys(paste(JSON.stringify({ lectern: 'component', uid: 'part.step', value: odd })))).toEqual({
    others: undefined,
    zone: [],
    tags: [],
  });
});

it('ends for a text that nests without end', () => {
  let value: object = { label: 'deep' };
  for (let depth = 0; depth < 3000; depth += 1) value = { next: value };
  expect(JSON.stringify(paste(`{"lectern":"component","uid":"part.step","value":${JSON.stringify(value)}}`)).length).toBeLessThan(2000);
});
