import { describe, expect, it } from 'vitest';
import { withNestedQuery } from './nested-query.ts';

describe('withNestedQuery', () => {
  it.each([
    ['/api/articles', '/api/articles'],
    ['/api/articles?filters[title]={"$contains":"a b%26c"}', '/api/articles?filters[title][$contains]=a+b%26c'],
    ['/api/articles?filters=[{"id":1},{"id":2}]', '/api/articles?filters[0][id]=1&filters[1][id]=2'],
    [
      '/api/articles?populate={"tags":{"fields":["name"]},"cover":true}',
      '/api/articles?populate[tags][fields][0]=name&populate[cover]=true',
    ],
    ['/api/articles?populate=*&fields=title&fields=slug', '/api/articles?populate=*&fields=title&fields=slug'],
    ['/api/articles?pagination[page]=2&_q={"a":1}', '/api/articles?pagination[page]=2&_q=%7B%22a%22:1%7D'],
    ['/api/articles?filters[title]={no json', '/api/articles?filters[title]=%7Bno+json'],
  ])('%s', (url, expected) => expect(withNestedQuery(url, 'http://localhost/docs')).toBe(`http://localhost${expected}`));
});
