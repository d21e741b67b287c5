/** Which reads of a SQLite database run in threads of the server: those that get a response while its reading processes are stopped. */
import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { processesOf } from '../../support/processes.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { useProject } from '../../support/served-project.ts';

const files = schemaFiles({
  note: {
    attributes: {
      title: { type: 'string' },
      rank: { type: 'integer' },
      notes: { type: 'relation', relation: 'manyToMany', target: 'api::note.note' },
    },
  },
});
const env = { LECTERN_PROFILE: 'strapi', LECTERN_CACHE_BYTES: '0', LECTERN_DATABASE_READERS: '1' };
/** A thread starts while processes read, and one read in ten seconds measures a plan in a process. */
const tries = 20;
/** If the machine stands still twice, two reads are slow, and each value of their plan is measured by itself for a minute. Milliseconds. */
const uneven = 60_000;

describe.runIf(engines.includes('sqlite') && existsSync('/proc/self/task'))('quick reads', () => {
  const served = useProject('sqlite', { files, public: ['api::note.note.find'], env });
  beforeAll(() => served.write('POST', '/api/notes', { title: 'Bread', rank: 1 }));

  let value = 0;
  /** Asks with a value that was never asked for. Returns whether a response comes within `patience` milliseconds while the processes are stopped. */
  async function answersWithoutProcesses(filter: string, patience: number): Promise<boolean> {
    const processes = processesOf(served.server.pid, 'read-process');
    expect(processes.length).toBeGreaterThan(0);
    for (const pid of processes) process.kill(pid, 'SIGSTOP');
    const response = served.ask('public', 'GET', `/api/notes?filters${filter}=${1000 + value++}`);
    const late = new Promise<false>((resolve) => setTimeout(() => resolve(false), patience));
    const answered = await Promise.race([response.then(() => true), late]);
    for (const pid of processes) process.kill(pid, 'SIGCONT');
    expect((await response).status).toBe(200);
    return answered;
  }
  /** Asks until a response comes. Gives up after `tries` attempts, but not before `atLeast` milliseconds have passed. */
  async function answersAtLast(filter: string, patience: number, atLeast = 0): Promise<boolean> {
    const end = performance.now() + atLeast;
    for (let number = 0; number < tries || performance.now() < end; number++) {
      for (let warm = 0; warm < 5; warm++) await served.ask('public', 'GET', `/api/notes?filters${filter}=${1000 + value++}`);
      if (await answersWithoutProcesses(filter, patience)) return true;
    }
    return false;
  }

  it('run in threads whatever the value is that columns are compared with', async () => {
    expect(await answersAtLast('[rank][$ne]', 1000, uneven + 30_000)).toBe(true);
  }, 180_000);

  it('run in threads whatever is searched for in texts that are held in memory', async () => {
    expect(await answersAtLast('[title][$contains]', 1000, uneven + 30_000)).toBe(true);
  }, 180_000);

  it('run in a process first for each value that other texts are searched for', async () => {
    expect(await answersAtLast('[notes][title][$contains]', 100)).toBe(false);
    expect(await answersAtLast('[title][$contains]=Bread&filters[notes][title][$contains]', 100)).toBe(false);
  });
});
