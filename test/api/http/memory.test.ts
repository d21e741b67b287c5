/** Memory of the server process: the part of V8's heap that new objects are made in stays small under load, where other threads read. */
import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { until } from '../../support/images.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { seedNumbered } from '../../support/seeds.ts';
import { useProject } from '../../support/served-project.ts';

/** Prints megabytes of that part when the main thread gets SIGUSR2. */
const probe = `
  import { isMainThread } from 'node:worker_threads';
  import { getHeapSpaceStatistics } from 'node:v8';
  const size = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size;
  if (isMainThread) process.on('SIGUSR2', () => process.stderr.write('new space: ' + size() / 1024 / 1024 + ' MB\\n'));
`;
describe.runIf(engines.includes('sqlite') && process.platform !== 'win32')('the memory of a server on SQLite', () => {
  const served = useProject('sqlite', {
    ownProcess: true,
    files: schemaFiles({ note: { attributes: { title: { type: 'string' } } } }),
    types: [{ type: 'api::note.note', documents: seedNumbered(100, () => ({ title: 'A note. '.repeat(25) })) }],
    public: ['api::note.note.find'],
    env: { LECTERN_CACHE_BYTES: '0', NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(probe)}` },
  });

  it('does not grow with the number of requests', async () => {
    const { server } = served;
    for (let round = 0; round < 24; round++) {
      const responses = await Promise.all(Array.from({ length: 100 }, () => server.get('/api/notes?pagination[pageSize]=100')));
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    }
    process.kill(server.pid, 'SIGUSR2');
    const printed = () => /new space: ([\d.]+) MB/.exec(server.output.stderr)?.[1];
    expect(await until(() => printed() !== undefined)).toBe(true);
    // V8's limit is 32 MB, which the same load reached before. The size is mostly 8 MB; while a thread starts on a busy machine, it may double once.
    expect(Number(printed())).toBeLessThanOrEqual(16);
  });
});
