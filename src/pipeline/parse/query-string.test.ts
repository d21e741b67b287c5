import { describe, expect, it } from 'vitest';
import { ApiError } from '../../errors/api-error.ts';
import { parseQueryString } from './query-string.ts';

const limits = {
  queryBytes: 1000,
  parameters: 5,
  depth: 3,
  listValues: 3,
  populatedPaths: 1,
  populateDepth: 1,
  conditions: 1,
  hops: 1,
  sortTerms: 1,
  patternBytes: 1,
  searchBytes: 1,
  rows: 1,
  bodyBytes: 1_048_576,
  bodyDepth: 100,
  components: 1,
  links: 1,
  passwords: 1,
  batch: 1,
  bulk: 1000,
  searchWords: 1,
  responseBytes: 1,
  unsentBytes: 1,
  statementTime: 1,
  upstreamTime: 1,
  upstreamConnections: 1,
  queue: 1,
};
const read = (text: string, refuse = true) => parseQueryString(text, limits, refuse);
const codeOf = (work: () => unknown) => {
  try {
    return work();
  } catch (error) {
    return error instanceof ApiError ? `${error.code}: ${error.message}` : error;
  }
};

describe('a query string', () => {
  it('becomes nested values; a parameter without = is null', () => {
    expect(read('a[b][0]=x&a[b][1]=y&c')).toEqual({ a: { b: ['x', 'y'] }, c: null });
  });
  it.each([
    [`a=${'x'.repeat(1000)}`, 'limit.query-bytes', '1000 bytes'],
    ['a&b&c&d&e&f', 'limit.parameters', '5 parameters'],
    ['a[b][c][d][e]=1', 'limit.depth', 'a[b][c][d][e]'],
    ['a[$in][]=1&a[$in][]=2&a[$in][]=3&a[$in][]=4', 'limit.list', 'a[$in]'],
    ['a[$or][0][b]=1&a[$or][1][b]=1&a[$or][2][b]=1&a[$or][3][b]=1', 'limit.list', 'a[$or] has'],
  ])('%s is refused, naming the limit', (text, code, named) => {
    expect(codeOf(() => read(text))).toContain(code);
    expect(codeOf(() => read(text))).toContain(named);
  });
  it('keeps the names of built-in properties as keys, so that they are checked like others', () => {
    expect(Object.keys(read('filters[constructor]=1').filters ?? {})).toEqual(['constructor']);
    expect(codeOf(() => read('filters[__proto__]=1'))).toContain('Invalid key __proto__');
    expect(codeOf(() => read('filters%5B__proto__%5D=1'))).toContain('Invalid key __proto__');
  });
  it('drops them where Strapi does, by policy', () => {
    expect(read('filters[constructor]=1', false)).toEqual({});
  });
});
