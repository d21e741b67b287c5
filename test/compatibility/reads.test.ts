/** Replays everything that was recorded of reading from a Strapi 5.54.0 against profile `strapi`: on one engine, and on every engine the reads that reach
 *  the database. The bodies in `key-order.json` are the same byte for byte: the keys of objects have Strapi's order. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyEngine, type EngineName, engines, speaksMysql } from '../support/engines.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { useMade } from '../support/use-made.ts';
import { belowFiveHundred, compare, shapeOf } from './compare.ts';
import {
  exceptionIn,
  improvements,
  mysqlDifferences,
  mysqlDifferencesOn,
  orderOfRecordings,
  postgresDifferences,
  type RecordedCase,
  recordedFiles,
  recordedProject,
  replayer,
  secrets,
} from './recordings.ts';
import { describeDifferences, expectDifference } from './report.ts';

const runs = [
  { mode: 'strict parameters', folder: 'reads', env: {} },
  { mode: 'lenient parameters', folder: 'reads-lenient', env: { LECTERN_API_STRICT_PARAMS: 'false' } },
] as const;

/** Responses of Strapi that differ on MariaDB and MySQL were recorded there as well, with the order of the database. */
const settingsOn = (engine: EngineName) => (speaksMysql(engine) ? {} : orderOfRecordings);

interface List {
  readonly data: readonly { readonly id: number }[];
  readonly meta: { readonly pagination?: { readonly total?: number } };
}
const idsAndTotal = ({ data, meta }: List) => ({ ids: data.map(({ id }) => id), total: meta.pagination?.total });

/** Files whose reads can return other entries, or another order, on another engine. */
const aboutEngines = /^(?:filters|locale|queries|sort|status|unicode)/;
/** Refusals come before the statements, and how requests are read and rights are checked is the same on every engine. */
const aboutRequests = /^(?:auth-|envelope|errors|fields|lenient|malformed|pagination|private-fields|server-faults)/;
const filesOn = (engine: EngineName, folder: (typeof runs)[number]['folder']) =>
  recordedFiles(folder).flatMap(({ file, cases }) => {
    if (anyEngine.includes(engine)) return [{ file, cases }];
    const answered = cases.filter(({ response }) => !aboutRequests.test(file) && response.status < 400);
    // The others populate what was found, in as many ways as there are kinds of attributes.
    const reading = aboutEngines.test(file) ? answered : answered.filter((_recorded, index) => index % 2 === 0);
    return reading.length === 0 ? [] : [{ file, cases: reading }];
  });

describe.each(engines)('%s', (engine) => {
  const project = useMade(() => recordedProject(engine));

  /** For a comparison byte for byte. PostgreSQL and MySQL keep the objects of JSON columns in an order of their own, and write them with spaces. */
  const inOneForm = (text: string) =>
    engine === 'postgres' || engine === 'mysql'
      ? JSON.stringify(JSON.parse(text), (key, value: unknown) => (key === 'formats' || key === 'content' ? null : value))
      : text;

  describe.each(runs.filter(({ folder }) => filesOn(engine, folder).length > 0))('$mode', ({ folder, env }) => {
    let server: RunningServer;
    let replay: (recorded: RecordedCase) => ReturnType<RunningServer['send']>;
    beforeAll(async () => {
      server = await startServer(project().dir, { ...project().env, ...secrets, ...settingsOn(engine), LECTERN_PROFILE: 'strapi', ...env });
      replay = replayer(server);
    });
    afterAll(() => server?.stop());

    describe.each(filesOn(engine, folder))('$file', ({ file, cases }) => {
      // A loop and not `it.each`: names hold percent signs, which that would take for placeholders.
      for (const recorded of cases) {
        const improvement = exceptionIn(improvements, file, recorded);
        const difference = engine === 'postgres' ? exceptionIn(postgresDifferences, file, recorded) : undefined;
        const onMysql = mysqlDifferencesOn(engine).find((entry) => exceptionIn([entry], file, recorded));
        const note = improvement === undefined ? '' : ` [on purpose not as recorded: ${improvement.why}]`;
        it(`${recorded.name}${note}`, async () => {
          const response = await replay(recorded);
          const got = shapeOf(response, recorded.response.headers && Object.keys(recorded.response.headers));
          if (improvement !== undefined) {
            // Tests in test/api assert the correct response.
            if (got.status !== 501) expect(belowFiveHundred(got)).toEqual([]);
            return;
          }
          if (onMysql !== undefined) {
            return expect(idsAndTotal(response.json() as List)).toEqual({ ids: onMysql.ids, total: onMysql.total });
          }
          const differences = compare(recorded.response, got, recorded.request.method);
          if (difference !== undefined) return expectDifference(differences, got, `postgres-differences.json (${difference.why})`);
          if (differences.length > 0)
            expect.fail(describeDifferences(`${recorded.as} ${recorded.request.method} ${recorded.request.path}`, differences));
          if (file === 'key-order.json') expect(inOneForm(response.text)).toBe(inOneForm(JSON.stringify(recorded.response.body)));
        });
      }
    });
  });
});

describe('the lists of exceptions', () => {
  const files = [...recordedFiles('reads'), ...recordedFiles('reads-lenient')];
  const page = readFileSync(new URL('../../docs/differences.md', import.meta.url), 'utf8');
  it.each([...improvements, ...postgresDifferences, ...mysqlDifferences.mariadb, ...mysqlDifferences.mysql])(
    '$file, $method $path was recorded, and docs/differences.md says why it differs',
    (entry) => {
      const cases = files.find(({ file }) => file === entry.file)?.cases ?? [];
      expect(cases.some((recorded) => exceptionIn([entry], entry.file, recorded) !== undefined)).toBe(true);
      expect(page).toContain(`- ${entry.why}\n`);
    },
  );
});
