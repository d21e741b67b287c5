import { expect, it } from 'vitest';
import { originsOf, placeholdersOf, preview } from './preview.ts';

it.each([
  'https://example.org/preview?slug={slug}&status={status}',
  'https://example.org:8443/{locale}/{slug}#{documentId}',
  'http://localhost:3000/{slug}',
  'http://[::1]:3000?slug={slug}',
  { 'api::a.a': 'https://a.example/{slug}', 'api::b.b': 'https://b.example' },
])('%j is a preview', (value) => expect(preview.read(value, [])).toEqual(value));

it.each([
  'http://example.org/{slug}',
  'https://{tenant}.example.org/',
  'https://example.org{slug}/',
  'https://user:secret@example.org/{slug}',
  'https://example.org\\@evil.example/{slug}',
  'https://example.org/{slug',
  'https://example.org/{}',
  'https://example.org/{a-b}',
  'https://example.org/ {slug}',
  'javascript:alert(1)',
  '/preview?slug={slug}',
  '',
  7,
  null,
  ['https://example.org/{slug}'],
  { 'api::a.a': 7 },
  { 'api::a.a': 'http://example.org' },
])('%j is none', (value) => expect(preview.read(value, [])).toBeUndefined());

it('names placeholders and origins', () => {
  expect(placeholdersOf('https://example.org/{slug}?status={status}&slug={slug}')).toEqual(['slug', 'status', 'slug']);
  expect(originsOf(undefined)).toEqual([]);
  expect(originsOf('https://Example.org:443/{slug}')).toEqual(['https://example.org']);
  expect(originsOf({ a: 'http://localhost:3000/{slug}', b: 'http://localhost:3000/x', c: 'https://c.example' })).toEqual([
    'http://localhost:3000',
    'https://c.example',
  ]);
});
