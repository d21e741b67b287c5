import { describe, expect, it } from 'vitest';
import { markedText, shapeOf } from './query-shape.ts';

const limits = { queryBytes: 200, parameters: 4 };
const shown = (text: string): string => {
  const { shape, values } = shapeOf(text, limits);
  return shape === undefined ? 'no shape' : [shape.replaceAll('\0', '?'), ...values.map((value) => JSON.stringify(value))].join(' ');
};

describe('the shape of a query', () => {
  it.each([
    ['filters[slug][$eq]=bread&sort=title', 'filters[slug][$eq]=?&sort=title "bread"'],
    ['filters%5Bslug%5D%5B%24eq%5D=bread', 'filters[slug][%24eq]=? "bread"'],
    ['_q=a+b%20c&pagination[page]=3&pagination[pageSize]=5', '_q=?&pagination[page]=?&pagination[pageSize]=? "a b c" "3" "5"'],
    [
      'pagination[start]=1&pagination[limit]=2&pagination[withCount]=false',
      'pagination[start]=?&pagination[limit]=?&pagination[withCount]=false "1" "2"',
    ],
    ['populate[tags][filters][name]=a&populate[tags][sort]=name', 'populate[tags][filters][name]=?&populate[tags][sort]=name "a"'],
    ['populate[blocks][on][part.hero][filters][heading][$eq]=a', 'populate[blocks][on][part.hero][filters][heading][$eq]=? "a"'],
    // Each value of a list is a parameter, the number of them is not.
    ['filters[id][$in]=1&filters[id][$in]=2', 'filters[id][$in]=?&filters[id][$in]=? "1" "2"'],
    ['filters[id][$in][]=1&filters[id][$in][1]=2', 'filters[id][$in][]=?&filters[id][$in][1]=? "1" "2"'],
    // Where the value begins, and how it is decoded, is as in qs.
    ['filters[a]=x]=y', 'filters[a]=? "x]=y"'],
    ['filters[a]=x=y', 'filters[a]=? "x=y"'],
    ['_q=x]=y', '_q=x]=y'],
    ['filters[a]=%zz+', 'filters[a]=? "%zz "'],
    ['filters[a]=%C3%A9%26%5B', 'filters[a]=? "é&["'],
    ['filters[a]=%2500', 'filters[a]=? "%00"'],
    ['filters[%zz]=a', 'filters[%zz]=? "a"'],
    // Values that decide about the SQL or about the structure.
    ['filters[a][$null]=true&filters[a][$notNull]=1', 'filters[a][$null]=true&filters[a][$notNull]=1'],
    ['filters[a][$eq]=&filters[b]&_q=', 'filters[a][$eq]=&filters[b]&_q='],
    // Other parameters.
    ['filters=a&populate=tags&status=draft&locale=fr', 'filters=a&populate=tags&status=draft&locale=fr'],
    ['filters[a]b=1&populate[filters][a]=1&page=2&start=1', 'filters[a]b=1&populate[filters][a]=1&page=2&start=1'],
    ['&&a=1&', '&&a=1&'],
    ['', 'no shape'],
    // Values that look like a marker, and values that the parser refuses.
    ['filters[a]=b%00c', 'no shape'],
    ['filters[a]=b\0c', 'no shape'],
    [`filters[a]=${'é'.repeat(100)}`, 'no shape'],
    ['a&b&c&d&e', 'no shape'],
  ])('%s', (text, expected) => expect(shown(text)).toBe(expected));

  it('marks each value with its index', () => {
    const { shape = '' } = shapeOf('filters[a]=x&sort=b&_q=y', limits);
    expect(markedText(shape)).toBe('filters[a]=\x000&sort=b&_q=\x001');
  });
});
