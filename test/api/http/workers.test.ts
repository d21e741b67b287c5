/** `lectern start --workers`: several processes on PostgreSQL. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { engines } from '../../support/engines.ts';
import { listen } from '../../support/listen.ts';
import { makeProject, type Project, projectOfTest } from '../../support/project.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { command, type Environment, type RunningServer, run, runProcess, startProcess } from '../../support/server.ts';
import { useMade } from '../../support/use-made.ts';
import { writeFiles } from '../../support/write-files.ts';

const files = schemaFiles({ note: { attributes: { text: { type: 'string' } } } });
const schema = 'src/api/note/content-types/note/schema.json';

/** The processes that a process has started and that live. */
function childrenOf(pid: number): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=']).toString().trim().split('\n');
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, state]) => Number(parent) === pid && !state?.startsWith('Z'))
    .map(([child]) => Number(child));
}
const lives = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Requests `/_health` over a connection of its own. Rejects after ten seconds without a response. */
function askApart(port: number): Promise<{ readonly status: number | undefined }> {
  return new Promise((resolve, reject) => {
    const asked = request({ port, host: '127.0.0.1', path: '/_health', agent: false, timeout: 10_000 });
    asked.on('response', (response) => resolve({ status: response.resume().statusCode }));
    asked.on('timeout', () => asked.destroy(new Error('no response')));
    asked.on('error', reject);
    asked.end();
  });
}

/** Runs `lectern start` as PM2 does in its cluster mode. Returns what it has written until `isEnough`, or until it ends. */
async function startInCluster(project: Project, args: readonly string[], isEnough: (output: string) => boolean): Promise<string> {
  const primary = `
    const cluster = require('node:cluster');
    cluster.setupPrimary({ execArgv: [], exec: ${JSON.stringify(command)}, args: ${JSON.stringify(['start', '--dir', project.dir, '--port', '0', ...args])} });
    cluster.fork().on('exit', () => process.exit());
    process.on('SIGTERM', () => { for (const worker of Object.values(cluster.workers)) worker.process.kill('SIGINT'); });
  `;
  const child = spawn(process.execPath, ['-e', primary], { env: { PATH: process.env.PATH, ...project.env }, stdio: 'pipe' });
  const ended = once(child, 'exit');
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      output += data;
      if (isEnough(output)) child.kill('SIGTERM');
    });
  await ended;
  return output;
}

describe.runIf(engines.includes('postgres'))('postgres', () => {
  const project = useMade(() => makeProject('postgres', files));
  let started: RunningServer;
  const start = async (env: Environment = {}) => {
    started = await startProcess(project().dir, { ...project().env, LECTERN_LOG_LEVEL: 'info', ...env }, ['--workers', '2']);
    await bothAnswer();
  };
  const bothAnswer = () =>
    expect
      .poll(
        async () => {
          await ask('/_health').catch(() => undefined);
          return childrenOf(started.pid).filter((pid) => started.output.stderr.includes(`"pid":${pid},`)).length;
        },
        // To list processes takes time that the server needs.
        { timeout: 30_000, interval: 300 },
      )
      .toBe(2);
  const ask = (path: string) => started.send({ method: 'GET', path, headers: { connection: 'close' } });
  const limitTo = (max: number) => writeFiles(project().dir, { 'lectern.config.json': JSON.stringify({ rateLimit: { max } }) });
  const limitOf = async () => (await ask('/api/notes')).headers['x-ratelimit-limit'];
  const replaced = (times: number) =>
    expect.poll(() => started.output.stderr.match(/The processes of the server were replaced/g), { timeout: 60_000 }).toHaveLength(times);
  const twoAgain = (former: readonly number[]) => {
    expect(childrenOf(started.pid)).toHaveLength(2);
    expect(childrenOf(started.pid).filter((pid) => former.includes(pid))).toEqual([]);
  };

  // One server, which the first test starts: each test leaves two processes, until the first one of them is killed.
  describe('two processes', () => {
    it('serve, say so once, and count calls together', async () => {
      limitTo(10);
      await start();
      expect(started.output.stdout.match(/Lectern listens/g)).toHaveLength(1);
      expect(started.output.stdout).toContain('2 processes');
      expect(started.output.stderr.match(/Created the tables/g)).toHaveLength(1);
      expect(await limitOf()).toBe('10');
      const statuses = (await Promise.all(Array.from({ length: 29 }, () => ask('/api/notes')))).map(({ status }) => status);
      expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    });

    it('are replaced one after another by SIGHUP, read the files anew, and again if it comes meanwhile, without a failed request', async () => {
      const former = childrenOf(started.pid);
      limitTo(1000);
      const agent = new Agent({ keepAlive: true, maxSockets: 4 });
      let sent = 0;
      let going = true;
      const failed: string[] = [];
      const client = async () => {
        while (going) {
          sent++;
          await new Promise<void>((resolve) => {
            const asked = request({ port: started.port, host: '127.0.0.1', path: '/_health', agent }, (response) => {
              if (response.statusCode !== 204) failed.push(String(response.statusCode));
              response.resume().on('end', resolve);
            });
            asked.on('error', (error) => {
              failed.push(error.message);
              resolve();
            });
            asked.end();
          });
          await sleep(10);
        }
      };
      const clients = Array.from({ length: 4 }, client);
      process.kill(started.pid, 'SIGHUP');
      await expect.poll(() => childrenOf(started.pid).length, { interval: 200 }).toBe(3);
      process.kill(started.pid, 'SIGHUP');
      await replaced(2);
      going = false;
      await Promise.all(clients);
      agent.destroy();
      expect(failed).toEqual([]);
      expect(sent).toBeGreaterThan(20);
      twoAgain(former);
      expect(await limitOf()).toBe('1000');
    });

    it('one that ends by itself during a restart gets one successor, not two', async () => {
      const former = childrenOf(started.pid);
      process.kill(started.pid, 'SIGHUP');
      process.kill(former.at(-1) ?? 0, 'SIGKILL');
      await replaced(3);
      await expect.poll(() => started.output.stderr).toContain('another one starts in 0.5 s');
      await sleep(1000);
      twoAgain(former);
    });

    it('one that ends by itself is replaced, and nobody notices', async () => {
      process.kill(childrenOf(started.pid)[0] ?? 0, 'SIGKILL');
      // Some connections arrive before the primary process notices, and one is handed to the killed process.
      const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await askApart(started.port)).status));
      expect(statuses).toEqual(Array.from({ length: 20 }, () => 204));
      await bothAnswer();
      expect(started.output.stderr).toContain('A process of the server ended by itself (SIGKILL); another one starts in 1 s.');
    });

    it('stay when SIGHUP finds a broken schema file', async () => {
      const former = childrenOf(started.pid);
      writeFiles(project().dir, { [schema]: '{ broken' });
      process.kill(started.pid, 'SIGHUP');
      await expect.poll(() => started.output.stderr, { timeout: 30_000 }).toContain('The restart was given up');
      expect(childrenOf(started.pid)).toEqual(former);
      expect((await started.get('/_health')).status).toBe(204);
    });

    it('end when the first one is killed', async () => {
      const workers = childrenOf(started.pid);
      process.kill(started.pid, 'SIGKILL');
      await expect.poll(() => workers.filter(lives)).toEqual([]);
    });

    it('do not start with that schema file, which is said once', async () => {
      const { status, stdout, stderr } = await runProcess(
        ['start', '--dir', project().dir, '--port', '0', '--workers', '2'],
        project().env,
      );
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr.match(/Lectern cannot go on/g)).toHaveLength(1);
      writeFiles(project().dir, files);
    });
  });

  it('when all end at once, no connection is left open without a response; a process that is still starting ends with the others', async () => {
    // If the process ended only after this time, the test would take too long. Milliseconds.
    await start({ LECTERN_SHUTDOWN_TIME: '200000' });
    for (const pid of childrenOf(started.pid)) process.kill(pid, 'SIGKILL');
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => askApart(started.port)));
    for (const outcome of outcomes) expect(String(outcome.status === 'rejected' && outcome.reason)).toMatch(/ECONN|socket hang up/);
    await bothAnswer();
    const former = childrenOf(started.pid);
    process.kill(former[0] ?? 0, 'SIGKILL');
    await expect.poll(() => childrenOf(started.pid).filter((pid) => !former.includes(pid)), { interval: 200 }).toHaveLength(1);
    const workers = childrenOf(started.pid);
    await started.stop();
    expect(workers.filter(lives)).toEqual([]);
  });

  it('several in a cluster of another program are refused', async () => {
    const output = await startInCluster(project(), ['--workers', '2'], () => false);
    expect(output).toContain('workers is 2, but this process is one of several that another program started');
  });

  it('a port that another process uses is named, as without workers', async () => {
    const taken = createServer();
    const port = await listen(taken);
    onTestFinished(() => void taken.close());
    const { status, stderr } = await runProcess(
      ['start', '--dir', project().dir, '--host', '127.0.0.1', '--port', `${port}`, '--workers', '2'],
      project().env,
    );
    expect(status).toBe(1);
    expect(stderr).toContain(`Lectern cannot go on: Port ${port} is in use by another process.`);
  });
});

it('SQLite is served by one process, also in a cluster of another program, and several are refused', async () => {
  const project = await projectOfTest('sqlite', files);
  const output = await startInCluster(project, [], (text) => text.includes('Lectern listens'));
  expect(output).toContain('Lectern listens');
  const started = await runProcess(['start', '--dir', project.dir, '--port', '0', '--workers', '2'], project.env);
  expect(started).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('workers is 2, but a SQLite database is served by one process'),
  });
});

it.each(['0', '257'])('--workers=%s is a mistake in the command line', async (workers) => {
  const stderr = expect.stringContaining('It must be auto or a whole number from 1 to 256.');
  expect(await run(['start', `--workers=${workers}`])).toMatchObject({ status: 2, stderr });
});
