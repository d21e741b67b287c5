/** Replays everything that was recorded of writing content to a Strapi 5.54.0 against profile `strapi`, on every engine. One scenario:
 *  `npx vitest run test/compatibility/writes.test.ts -t 'positions'`. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines } from '../support/engines.ts';
import type { Project } from '../support/project.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { differencesIn } from './compare.ts';
import { type ContentDatabase, openContent } from './content-database.ts';
import { type Played, player } from './player.ts';
import { expectDifference, reportSoft, type SoftDifferences, told } from './report.ts';
import { canonicalRows, contradictions, onlyReachable, type Rows, readRowSchema, unreachable } from './rows.ts';
import {
  allScenarios,
  credentials,
  emptyProject,
  environmentOf,
  leftOut,
  recordedRows,
  type Scenario,
  type Step,
  scenarios,
  schemaFiles,
  startDatabase,
  stepDifferences,
} from './scenarios.ts';
import { signIns } from './sign-ins.ts';
import { isUpload } from './uploads.ts';

const schema = readRowSchema(startDatabase, schemaFiles);

/** One server for all scenarios with the same settings. */
const settingsOf = (scenario: Scenario) => JSON.stringify(environmentOf(scenario));
const runs = [...new Set(scenarios.map(settingsOf))].map((settings) => ({
  settings,
  ofRun: scenarios.filter((scenario) => settingsOf(scenario) === settings),
}));

describe.each(engines)('%s', (engine) => {
  let project: Project;
  let content: ContentDatabase;
  beforeAll(async () => {
    project = await emptyProject(engine);
    content = await openContent(project);
  });
  afterAll(async () => {
    await content?.close();
    await project?.remove();
  });

  describe.each(runs)('settings $settings', ({ settings, ofRun }) => {
    let server: RunningServer;
    let signIn: ReturnType<typeof signIns>;
    const soft: SoftDifferences[] = [];
    beforeAll(async () => {
      server = await startServer(project.dir, { ...project.env, ...credentials.env, LECTERN_PROFILE: 'strapi', ...JSON.parse(settings) });
      signIn = signIns(server, credentials.users);
    });
    afterAll(async () => {
      await server?.stop();
      reportSoft(`${engine}, writes, ${settings}`, soft);
    });

    // Loops and not `each`: names hold signs that it would take for placeholders.
    for (const scenario of ofRun) {
      const { file, steps } = scenario;
      const rows = recordedRows.get(scenario.scenario);
      const differenceAt = (step: string) =>
        stepDifferences.find((entry) => entry.scenario === scenario.scenario && entry.step === step && (entry.engine ?? engine) === engine);

      describe(`${file} ${scenario.scenario}`, () => {
        let play: (index: number) => Promise<Played>;
        beforeAll(async () => {
          await content.empty();
          play = player(scenario, { engine, server, content, signIn });
        });

        steps.forEach((step, index) => {
          if (isUpload(step)) return;
          const title = titleOf(step, index);
          it(title, async () => {
            const { request, got, comparison } = await play(index);
            const difference = differenceAt(title);
            if (difference !== undefined) return expectDifference(comparison, got, `differences.json (${difference.why})`);
            if (comparison.soft.length > 0) soft.push({ case: `${scenario.scenario}: ${step.name}`, differences: comparison.soft });
            if (comparison.hard.length > 0) expect.fail(told(toldStep(step, request.path, request.body, got), comparison.hard));
          });
        });

        it('leaves no row that nothing reaches, and none twice', async () => {
          await play(steps.length - 1).catch(() => undefined);
          const all = await content.rows();
          expect([...unreachable(all, schema), ...contradictions(all, schema)]).toEqual([]);
        });

        if (rows === undefined) return;
        it('leaves the recorded rows', async () => {
          await play(steps.length - 1).catch(() => undefined);
          const differences = rowDifferences(rows, await content.rows());
          const difference = differenceAt('rows');
          if (difference !== undefined) return expect(differences, `no longer differs (${difference.why})`).not.toEqual([]);
          if (differences.length > 0) expect.fail(told('rows of the database', differences));
        });
      });
    }
  });
});

/** Some names occur twice in a scenario. */
const titleOf = ({ name }: Step, index: number) => `${index + 1} ${name}`;

/** Of the tables that were recorded. */
function rowDifferences(recorded: Rows, all: Rows) {
  const ours = Object.fromEntries(Object.keys(recorded).map((table) => [table, all[table] ?? []]));
  return differencesIn(canonicalRows(onlyReachable(recorded, schema), schema), canonicalRows(ours, schema), 'rows');
}

function toldStep({ as, request: { method } }: Step, path: string, body: unknown, got: Played['got']): string {
  const answered = JSON.stringify(got.body ?? got.bodyText ?? null);
  return [
    `${as} ${method} ${path}`,
    ...(body === undefined ? [] : [`  sent ${String(body).slice(0, 1000)}`]),
    `  got ${got.status} ${answered.slice(0, 1000)}`,
  ].join('\n');
}

describe('the lists of exceptions', () => {
  it.each(Object.entries(leftOut))('%s was recorded (%s)', (name) => {
    expect(allScenarios.some(({ file, scenario }) => file === name || scenario === name)).toBe(true);
  });
  it.each(stepDifferences)('$scenario, $step was recorded', ({ scenario: name, step, why }) => {
    const scenario = scenarios.find((candidate: Scenario) => candidate.scenario === name);
    expect(
      scenario?.steps.some((candidate, index) => titleOf(candidate, index) === step) || (step === 'rows' && recordedRows.has(name)),
    ).toBe(true);
    expect(readFileSync(new URL('../../docs/differences.md', import.meta.url), 'utf8')).toContain(`- ${why}\n`);
  });
});
