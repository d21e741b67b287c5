import { expect, it } from 'vitest';
import { labelOfName } from './label-of-name.ts';

it.each([
  ['title', 'Title'],
  ['readingMinutes', 'Reading minutes'],
  ['reading_minutes', 'Reading minutes'],
  ['SEOText', 'SEO text'],
  ['metaURL', 'Meta URL'],
  ['über_unsÄlter', 'Über uns älter'],
  ['a', 'A'],
  ['___', '___'],
])('%s is %s', (name, label) => expect(labelOfName(name)).toBe(label));
