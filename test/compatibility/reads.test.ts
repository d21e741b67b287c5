/** Replays everything that was recorded of reading from a Strapi 5.54.0 against profile `strapi`, on every engine. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EngineName, engines, speaksMysql } from '../support/engines.ts';
import type { Project } from '../support/project.ts';
import { type RunningServer, startServer } from '../support/server.ts';
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
import { describeDifferences, expectDifference, reportSoft, type SoftDifferences } from './report.ts';

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

describe.each(engines)('%s', (engine) => {
  let project: Project;
  beforeAll(async () => {
    project = await recordedProject(engine);
  });
  afterAll(() => project.remove());

  describe.each(runs)('$mode', ({ folder, env }) => {
    let server: RunningServer;
    let replay: (recorded: RecordedCase) => ReturnType<RunningServer['send']>;
    const soft: SoftDifferences[] = [];
    beforeAll(async () => {
      server = await startServer(project.dir, { ...project.env, ...secrets, ...settingsOn(engine), LECTERN_PROFILE: 'strapi', ...env });
      replay = replayer(server);
    });
    afterAll(async () => {
      await server?.stop();
      reportSoft(`${engine}, ${folder}`, soft);
    });

    describe.each(recordedFiles(folder))('$file', ({ file, cases }) => {
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
            if (got.status !== 501) expect(belowFiveHundred(got).hard).toEqual([]);
            return;
          }
          if (onMysql !== undefined) {
            return expect(idsAndTotal(response.json() as List)).toEqual({ ids: onMysql.ids, total: onMysql.total });
          }
          const comparison = compare(recorded.response, got, recorded.request.method);
          if (difference !== undefined) return expectDifference(comparison, got, `postgres-differences.json (${difference.why})`);
          if (comparison.soft.length > 0) soft.push({ case: `${file}: ${recorded.name}`, differences: comparison.soft });
          if (comparison.hard.length > 0)
            expect.fail(describeDifferences(`${recorded.as} ${recorded.request.method} ${recorded.request.path}`, comparison.hard));
        });
      }
    });
  });
});

describe('the lists of exceptions', () => {
  const files = [...recordedFiles('reads'), ...recordedFiles('reads-lenient')];
  const all = [
    ...improvements.map((entry) => ({ list: 'improvements', ...entry })),
    ...postgresDifferences.map((entry) => ({ list: 'postgres', ...entry })),
    ...mysqlDifferences.mariadb.map((entry) => ({ list: 'mariadb', ...entry })),
    ...mysqlDifferences.mysql.map((entry) => ({ list: 'mysql', ...entry })),
  ];
  it.each(all)('$list: $method $path is a recorded case', (entry) => {
    const cases = files.find(({ file }) => file === entry.file)?.cases ?? [];
    expect(cases.some((recorded) => exceptionIn([entry], entry.file, recorded) !== undefined)).toBe(true);
  });
});

it('docs/differences.md says the reason of every exception', () => {
  const page = readFileSync(new URL('../../docs/differences.md', import.meta.url), 'utf8');
  for (const { why } of [...improvements, ...postgresDifferences, ...mysqlDifferences.mariadb, ...mysqlDifferences.mysql])
    expect(page).toContain(`- ${why}\n`);
});
