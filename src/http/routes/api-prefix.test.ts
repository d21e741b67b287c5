import { describe, expect, it } from 'vitest';
import { atPrefix, isBelow, prefixProblems } from './api-prefix.ts';
import type { Route } from './routes.ts';

it.each([
  ['/api/articles', '/v1/api', '/v1/api/articles'],
  ['/api/articles', '', '/articles'],
])('atPrefix: %s, %j', (path, prefix, moved) => expect(atPrefix(path, prefix)).toBe(moved));

it.each([
  ['/api', '/api/articles', true],
  ['/api', '/API?a=b', true],
  ['/api', '/apis', false],
  ['/v1', '/api/articles', false],
  ['', '/articles', true],
])('isBelow: %j, %s', (prefix, path, is) => expect(isBelow(prefix)(path)).toBe(is));

describe('prefixProblems', () => {
  const routes = (path: string): Route[] => [{ method: 'GET', path, action: 'a', serves: { kind: 'endpoint', endpoint: 'files' } }];
  it.each([
    ['/v1/articles', true, undefined],
    ['/uploads/articles', true, 'GET /uploads/articles would be where'],
    ['/docs', true, 'or set site.pages to false'],
    ['/docs', false, undefined],
    ['/console/articles', true, 'or set console.enabled to false'],
    ['/console', false, undefined],
    ['/_ready', false, 'GET /_ready would be where'],
    ['/metrics', true, 'GET /metrics would be where'],
    ['/metrics', false, undefined],
  ])('%s', (path, pages, says) => {
    const secrets = { metricsToken: pages ? 'x'.repeat(32) : undefined };
    const config = { api: { prefix: '' }, site: { pages }, console: { enabled: true }, metrics: { port: undefined }, secrets };
    const problems = prefixProblems(routes(path), config as Parameters<typeof prefixProblems>[1]);
    expect(problems).toEqual(says === undefined ? [] : [expect.stringContaining(says)]);
  });
});
