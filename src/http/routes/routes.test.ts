import { describe, expect, it } from 'vitest';
import { methodsOf, type Route } from './routes.ts';

const route = (method: Route['method'], path: string): Route => ({
  method,
  path,
  action: 'a',
  serves: { kind: 'endpoint', endpoint: 'files' },
});
const all = [
  route('GET', '/api/articles'),
  route('POST', '/api/articles'),
  route('GET', '/api/articles/:id'),
  route('DELETE', '/api/articles/:id'),
];

describe('methodsOf', () => {
  it.each([
    ['/api/articles', ['GET', 'POST']],
    ['/API/Articles/', ['GET', 'POST']],
    ['/api/articles/abc', ['GET', 'DELETE']],
    ['/api/articles/abc/def', []],
    ['/api//articles', []],
    ['/', []],
  ])('%s', (path, methods) => expect(methodsOf(path, all)).toEqual(methods));
});
