import { describe, expect, it } from 'vitest';
import { readLogLine } from './log-line.ts';
import { targetOf } from './target.ts';

const date = '[23/Nov/2026:12:46:32 +0000]';

describe('the request of a line', () => {
  it.each([
    ['a path', '/api/articles?sort=title', 'GET', '/api/articles?sort=title'],
    ['a URL', 'https://example.org/api/articles', 'GET', 'https://example.org/api/articles'],
    ['a method and a path', 'HEAD /api/articles', 'HEAD', '/api/articles'],
    ['common', `127.0.0.1 - frank ${date} "GET /api/articles?populate=* HTTP/1.0" 200 2326`, 'GET', '/api/articles?populate=*'],
    [
      'combined',
      `::1 - - ${date} "POST /api/articles HTTP/1.1" 201 5 "https://example.org/" "Mozilla \\"GET /x HTTP/1.1\\""`,
      'POST',
      '/api/articles',
    ],
    ['escaped bytes', `1.1.1.1 - - ${date} "GET /api/tags?a=\\x22\\xE2 HTTP/2.0" 200 1`, 'GET', '/api/tags?a=%22%E2'],
    ['nginx, as JSON', '{"request":"GET /api/tags HTTP/1.1","status":"200"}', 'GET', '/api/tags'],
    ['nginx, in fields', '{"request_method":"GET","request_uri":"/api/tags"}', 'GET', '/api/tags'],
    ['pino', '{"level":30,"req":{"method":"GET","url":"/api/tags"},"res":{"statusCode":200}}', 'GET', '/api/tags'],
    ['Lectern', '{"level":30,"requestId":"a","method":"GET","url":"/api/tags","status":200,"msg":"answered"}', 'GET', '/api/tags'],
    ['Caddy', '{"request":{"method":"GET","host":"example.org","uri":"/api/tags"}}', 'GET', '/api/tags'],
    ['Docker', '{"log":"127.0.0.1 - - [x] \\"GET /api/tags HTTP/1.1\\" 200 1\\n","stream":"stdout"}', 'GET', '/api/tags'],
    ['Strapi', '[2026-11-23 12:46:32.537] \u001b[32mhttp\u001b[39m: GET /api/tags?a=1 (56 ms) 200', 'GET', '/api/tags?a=1'],
  ])('%s', (_, line, method, url) => expect(readLogLine(line)).toEqual({ method, url }));

  it.each(['Server listening', '{"level":30,"msg":"started"}', '{', '[]', '"GET"', `{"log":${JSON.stringify('{"log":"x"}')}}`])(
    'none in %s',
    (line) => expect(readLogLine(line)).toBeUndefined(),
  );
});

describe('of a URL, only path and query are taken', () => {
  it.each([
    ['https://elsewhere.example/api/tags?a=1#top', '/api/tags?a=1'],
    ['/api/tags?q=é d', '/api/tags?q=%C3%A9%20d'],
    ['//elsewhere.example/api/tags', 'outside'],
    ['http://example.org@elsewhere.example/api', '/api'],
    ['/api/../admin', 'outside'],
    ['/api/%2e%2e/admin', 'outside'],
    ['/admin/users', 'outside'],
    ['/apis/tags', 'outside'],
    ['/api/_manage/roles', 'outside'],
    ['/uploads/a.png?width=10', '/uploads/a.png?width=10'],
    ['/api/auth/email-confirmation?confirmation=x', 'account'],
    ['/api//%61UTH/local', 'account'],
    ['/api/connect/github', 'account'],
    [`/api/tags?${'x'.repeat(20_000)}`, 'cut'],
  ])('%s', (url, expected) => {
    const found = targetOf(url, '/api');
    expect(found.ok ? found.target : found.reason).toBe(expected);
  });
});
