/** Answers are those of a Strapi 5.54.0 byte for byte: the order of the keys of each object is its own. What is compared otherwise in reads.test.ts is
 *  compared as text here. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import type { Project } from '../support/project.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { exceptionIn, mysqlDifferencesOn, type RecordedCase, recordedFiles, recordedProject, replayer, secrets } from './recordings.ts';

const cases = recordedFiles('reads').find(({ file }) => file === 'key-order.json')?.cases ?? [];

describe.each(anyEngine)('%s', (engine) => {
  let project: Project;
  let server: RunningServer;
  let replay: (recorded: RecordedCase) => ReturnType<RunningServer['send']>;
  beforeAll(async () => {
    project = await recordedProject(engine);
    server = await startServer(project.dir, { ...project.env, ...secrets, LECTERN_PROFILE: 'strapi' });
    replay = replayer(server);
  });
  afterAll(async () => {
    await server?.stop();
    await project.remove();
  });

  // PostgreSQL and MySQL keep the objects of JSON columns in an order of their own, and write them with spaces.
  const normalised = (text: string) =>
    engine === 'postgres' || engine === 'mysql'
      ? JSON.stringify(JSON.parse(text), (key, value: unknown) => (key === 'formats' || key === 'content' ? null : value))
      : text;

  // Requests for which Strapi on MariaDB or MySQL returns other rows are compared in reads.test.ts.
  const isOther = (recorded: RecordedCase) =>
    mysqlDifferencesOn(engine).some((entry) => exceptionIn([entry], 'key-order.json', recorded) !== undefined);
  it.each(cases.filter((recorded) => !isOther(recorded)))('$name', async (recorded) => {
    const wanted = JSON.stringify('body' in recorded.response ? recorded.response.body : undefined);
    expect(normalised((await replay(recorded)).text)).toBe(normalised(wanted));
  });
});
