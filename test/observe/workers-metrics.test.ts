/** `/metrics` of several processes: one scrape has all of them, whichever responds, and counts stay when a process ends. */
import { describe, expect, it } from 'vitest';
import { engines } from '../support/engines.ts';
import { makeProject } from '../support/project.ts';
import { schemaFiles } from '../support/schema-files.ts';
import { scrape } from '../support/scrape.ts';
import { startProcess } from '../support/server.ts';
import { useMade } from '../support/use-made.ts';

const token = 'a-token-of-metrics-for-tests-0123456789';

describe.runIf(engines.includes('postgres'))('postgres', () => {
  const project = useMade(() => makeProject('postgres', schemaFiles({ note: { attributes: { text: { type: 'string' } } } })));
  const server = useMade(() => {
    const env = { ...project().env, LECTERN_METRICS_TOKEN: token, LECTERN_LOG_LEVEL: 'info' };
    return startProcess(project().dir, env, ['--workers', '2']);
  });
  const forbidden = () => server().send({ method: 'GET', path: '/api/notes', headers: { connection: 'close' } });
  const metrics = () => scrape(`${server().base}/metrics`, { authorization: `Bearer ${token}`, connection: 'close' });
  const counted = async () =>
    (await metrics()).value('lectern_http_request_duration_seconds_count', { method: 'GET', route: '/api/notes', status: '4xx' }) ?? 0;
  const workersWithResponses = () =>
    new Set([...server().output.stderr.matchAll(/"pid":(\d+)[^\n]*"answered"/g)].map(([, pid]) => Number(pid)));

  it('opens to its token alone', async () => {
    for (const authorization of [undefined, 'Bearer wrong', token]) {
      const response = await server().get('/metrics', authorization === undefined ? {} : { authorization });
      expect([response.status, response.headers['cache-control']]).toEqual([401, 'no-store']);
      expect(response.text).not.toContain('lectern_http');
    }
  });

  it('adds up the counts of all processes, also of those that have ended', async () => {
    let sent = 0;
    while (workersWithResponses().size < 2 || sent < 20) {
      expect((await forbidden()).status).toBe(403);
      sent++;
      if (sent > 2000) throw new Error('only one process responds');
    }
    expect(await counted()).toBe(sent);
    expect((await metrics()).value('lectern_build_info')).toBe(1);
    const [victim = 0] = workersWithResponses();
    process.kill(victim, 'SIGKILL');
    await expect.poll(() => server().output.stderr).toContain('A process of the server ended by itself');
    expect(await counted()).toBe(sent);
    expect((await forbidden()).status).toBe(403);
    expect(await counted()).toBe(sent + 1);
  });
});
