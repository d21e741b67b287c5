/** `lectern compare --writes`, between servers of the built code on copies of one database. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders of the file look like those of template strings.
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { credentialsOf, orderOfRecordings, recordedProject, secrets } from '../compatibility/recordings.ts';
import { listen } from '../support/listen.ts';
import type { Project } from '../support/project.ts';
import { changeIn } from '../support/served-project.ts';
import { type Environment, type RunningServer, run, startServer } from '../support/server.ts';

const settings = { ...secrets, ...orderOfRecordings, LECTERN_PROFILE: 'strapi', LECTERN_LOG_LEVEL: 'warn' };

const projects: Project[] = [];
const servers: RunningServer[] = [];
const helpers: Server[] = [];
async function serveCopy(environment: Environment = {}, ...changes: readonly string[]): Promise<string> {
  const project = await recordedProject('sqlite');
  projects.push(project);
  await changeIn(project, ...changes);
  const server = await startServer(project.dir, { ...project.env, ...settings, ...environment });
  servers.push(server);
  return server.base;
}
let [one, same, lenient] = ['', '', ''];
beforeAll(async () => {
  one = await serveCopy();
  // The next tag gets another row id in this copy.
  same = await serveCopy({}, "INSERT INTO tags (id, document_id, name) VALUES (5000, 'x', 'x')", 'DELETE FROM tags WHERE id = 5000');
  lenient = await serveCopy({ LECTERN_API_STRICT_PARAMS: 'false' });
});
afterAll(async () => {
  for (const server of servers) await server.stop();
  for (const helper of helpers) helper.close();
  for (const project of projects) await project.remove();
});

const fileOf = (name: string, lines: readonly (object | string)[]) => {
  const file = join(projects[0]?.dir ?? '', name);
  writeFileSync(file, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
  return file;
};
const copies = ['--both-are-copies', '--rate', '1000'];
const compare = (other: string, url: string, file: string, ...args: readonly string[]) =>
  run(['compare', '--with', other, '--url', url, '--writes', file, '--dir', projects[0]?.dir ?? '', ...args], {
    LECTERN_COMPARE_TOKEN: credentialsOf('full'),
  });
const json = async (...args: Parameters<typeof compare>) => {
  const { status, stdout, stderr } = await compare(...args, ...copies, '--json');
  expect(stdout, stderr).not.toBe('');
  return { status, report: JSON.parse(stdout) };
};
const post = (path: string, data: object) => ({ method: 'POST', path, body: { data } });

describe('writes on two copies', () => {
  it('have equal responses, with ids and times that each server generates', async () => {
    const file = fileOf('equal.jsonl', [
      '# two tags, one of them in an article',
      post('/api/tags?status=draft', { name: 'Ä' }),
      post('/api/tags', { name: 'of ${2.data.documentId}' }),
      { method: 'PUT', path: '/api/tags/${3.data.documentId}?populate=*', body: { data: { name: 'Z', color: '$${red}' } } },
      post('/api/categories', { name: 'A new one', position: '${2.data.name}' }),
      { method: 'GET', path: '/api/tags?sort=name&status=draft&filters[name][$in]=%C3%84&filters[name][$in]=Z' },
      { method: 'DELETE', path: '/api/tags/${2.data.documentId}' },
      { method: 'GET', path: '/api/tags/${2.data.documentId}?status=draft' },
      { method: 'GET', path: '/api/tags/${6.data.1.documentId}', headers: { Authorization: null } },
    ]);
    const { status, report } = await json(one, same, file);
    expect(report.differences).toEqual([]);
    expect(report).toMatchObject({ requests: 8, compared: 8, equal: 8, notCompared: [], stopped: null });
    expect(status).toBe(0);
  });

  it('differ if a setting differs, and a request that depends on a missing value is sent to neither server', async () => {
    const file = fileOf('different.jsonl', [
      post('/api/tags?unknown=1', { name: 'Once' }),
      post('/api/articles?status=draft', { title: 'B', tags: { connect: ['${1.data.documentId}'] } }),
      { method: 'GET', path: '/api/tags?fields[0]=name&filters[name]=Once' },
    ]);
    const { status, report } = await json(lenient, same, file);
    expect([status, report.compared, report.different]).toEqual([1, 2, 2]);
    expect(report.differences).toMatchObject([
      {
        shape: 'POST /api/tags ?unknown',
        kind: 'status',
        example: { theirs: '201', ours: expect.stringMatching(/^400 ValidationError/), line: 1, request: 'POST /api/tags?unknown=1' },
      },
      { shape: 'GET /api/tags ?fields[] &filters[name]', kind: 'entries' },
      { kind: 'value', path: 'meta.pagination.pageCount' },
      { kind: 'value', path: 'meta.pagination.total' },
    ]);
    expect(report.notCompared).toEqual([
      {
        reason: 'on Lectern alone, the response to line 1, with status 400, has no value at data.documentId',
        requests: 1,
        line: 2,
        request: 'POST /api/articles?status=draft',
      },
    ]);
  });

  it('sign in, and print no secret', async () => {
    const account = { username: 'newcomer', email: 'newcomer@example.com', password: 'hidden-word-1' };
    const file = fileOf('users.jsonl', [
      { method: 'POST', path: '/api/auth/local/register', headers: { authorization: null }, body: account },
      { method: 'GET', path: '/api/tags?token=hidden-value' },
      { method: 'GET', path: '/api/users/me', headers: { authorization: 'Bearer ${1.jwt}' } },
    ]);
    const { status, stdout, stderr } = await compare(lenient, same, file, ...copies);
    expect(stdout).toContain('Requests:  3 in the order of ');
    expect(stdout).toContain('line 2: GET /api/tags?token=…');
    expect([status, stdout.match(/^Compared: .*$/m)?.[0]]).toEqual([
      1,
      'Compared:  3: 2 equal, 0 equal but for known differences, 1 different',
    ]);
    for (const secret of ['hidden', 'eyJ', credentialsOf('full')]) expect(stdout + stderr).not.toContain(secret);
  });

  it('are compared if both servers refuse too many attempts', async () => {
    const wrong = {
      method: 'POST',
      path: '/api/auth/local',
      headers: { authorization: null },
      body: { identifier: 'no one', password: 'x' },
    };
    const { status, report } = await json(lenient, same, fileOf('attempts.jsonl', Array(12).fill(wrong)));
    expect([status, report.compared, report.notCompared]).toEqual([0, 12, []]);
  });

  it('stop at the first one without a response, which is not sent to the second server', async () => {
    const asked: string[] = [];
    const helper = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      if (request.method === 'POST') response.destroy();
      else response.end('{}');
    });
    helpers.push(helper);
    const away = `http://127.0.0.1:${await listen(helper)}`;
    const file = fileOf('away.jsonl', [post('/api/tags', { name: 'Nowhere' }), post('/api/tags', { name: 'Nowhere' })]);
    const { status, report } = await json(away, same, file);
    expect([status, report.stopped]).toEqual([1, 'at line 1, since a write had no response: the other server: ECONNRESET']);
    expect(asked).toEqual(['GET /api/', 'POST /api/tags']);
    const found = await fetch(`${same}/api/tags?filters[name]=Nowhere`, { headers: { authorization: `Bearer ${credentialsOf('full')}` } });
    expect(await found.json()).toMatchObject({ data: [] });
  });

  it.each([
    ['without a confirmation', [], 2, /sends every request of .*write\.jsonl to .* and changes .* of both\. .* --both-are-copies/],
    ['with a bad line', copies, 1, /write\.jsonl, line 2: this is not JSON, at character 2/],
  ])('are refused %s', async (_, args, expected, says) => {
    const { status, stderr } = await compare(one, same, fileOf('write.jsonl', [post('/api/tags', {}), '{x']), ...args);
    expect([status, stderr.replaceAll(/\s+/g, ' ')]).toEqual([expected, expect.stringMatching(says)]);
  });
});
