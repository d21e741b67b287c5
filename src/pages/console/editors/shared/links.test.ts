import { describe, expect, it } from 'vitest';
import { typedReference, typedUrl } from './links.ts';

describe('what is typed as a link', () => {
  it.each([
    ['https://a.b/c?d#e', 'https://a.b/c?d#e'],
    [' example.com ', 'https://example.com'],
    ['example.com:8080/x', 'https://example.com:8080/x'],
    ['münchen.de/a', 'https://münchen.de/a'],
    ['name@example.com', 'mailto:name@example.com'],
    ['tel:+49123', 'tel:+49123'],
    ['/about', '/about'],
    ['javascript:alert(1)', undefined],
    ['javascript:alert.com', undefined],
    ['java\nscript:alert(1)', undefined],
    ['data:text/html,x', undefined],
    ['ftp://a.b', undefined],
    ['word', undefined],
    ['two words.com', undefined],
    ['#top', undefined],
    ['', undefined],
  ])('%j', (typed, url) => expect(typedUrl(typed)).toBe(url));
  it.each([
    ['#top', '#top'],
    ['../a', '../a'],
    ['./a', './a'],
    ['javascript:alert(1)', undefined],
    ['', undefined],
  ])('in Markdown: %j', (typed, url) => expect(typedReference(typed)).toBe(url));
});
