import { describe, expect, it } from 'vitest';
import { siteUrl } from './preview-url.ts';

describe('the page for visitors', () => {
  const opened = {
    documentId: { value: 'c9zz' },
    locale: 'fr',
    stored: { value: { slug: 'a b' } },
  } as unknown as Parameters<typeof siteUrl>[1];
  it.each([
    ['https://site.example/{locale}/{slug}?status={status}', false, 'https://site.example/fr/a%20b?status=published'],
    // The published slug may be another one.
    ['https://site.example/{locale}/{slug}?status={status}', true, undefined],
    ['https://site.example/{locale}/{documentId}?status={status}', true, 'https://site.example/fr/c9zz?status=published'],
  ])('%s, modified: %s', (template, isModified, url) => expect(siteUrl(template, opened, { isModified })).toBe(url));
});
