/** Replays everything that was recorded of writing content to a Strapi 5.54.0 against profile `strapi`, on every engine. One scenario:
 *  `npx vitest run test/compatibility/writes.test.ts -t 'positions'`. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EngineName, engines } from '../support/engines.ts';
import type { Project } from '../support/project.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { differencesIn } from './compare.ts';
import { type ContentDatabase, holdsContent, openContent } from './content-database.ts';
import { type Played, player } from './player.ts';
import { orderOfRecordings } from './recordings.ts';
import { describeDifferences, expectDifference, reportSoft, type SoftDifferences } from './report.ts';
import { canonicalRows, contradictions, onlyReachable, type Rows, readRowSchema, unreachable } from './rows.ts';
import {
  credentials,
  emptyProject,
  environmentOf,
  isAlone,
  linksToNothing,
  recordedRows,
  type Scenario,
  type Step,
  scenarios,
  schemaFiles,
  startDatabase,
  stepDifferences,
} from './scenarios.ts';
import { signIns } from './sign-ins.ts';

const schema = readRowSchema(startDatabase, schemaFiles);

/** Scenarios that share a server: those about content, with the same settings, on one database; others are alone. */
interface Run {
  readonly settings: string;
  readonly alone: Scenario | undefined;
  readonly ofRun: readonly Scenario[];
}
const settingsOf = (scenario: Scenario) => JSON.stringify(environmentOf(scenario));
const aboutContent = scenarios.filter((scenario) => !isAlone(scenario));
const runs: readonly Run[] = [
  ...[...new Set(aboutContent.map(settingsOf))].map((settings) => ({
    settings,
    alone: undefined,
    ofRun: aboutContent.filter((scenario) => settingsOf(scenario) === settings),
  })),
  ...scenarios.filter(isAlone).map((scenario) => ({ settings: settingsOf(scenario), alone: scenario, ofRun: [scenario] })),
];

describe.each(engines)('%s', (engine) => {
  const shared = useProject(engine);

  describe.each(runs)('settings $settings', ({ settings, alone, ofRun }) => {
    const { project, content } = alone === undefined ? shared : useProject(engine);
    let server: RunningServer;
    let signIn: ReturnType<typeof signIns>;
    const soft: SoftDifferences[] = [];
    beforeAll(async () => {
      server = await startServer(project().dir, {
        ...project().env,
        ...credentials.env,
        ...orderOfRecordings,
        LECTERN_PROFILE: 'strapi',
        ...JSON.parse(settings),
      });
      signIn = signIns(server, credentials.users);
    });
    afterAll(async () => {
      await server?.stop();
      reportSoft(`${engine}, writes, ${alone?.scenario ?? settings}`, soft);
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
          await content().empty();
          play = player(scenario, { server, signIn });
        });

        steps.forEach((step, index) => {
          const title = titleOf(step, index);
          it(title, async () => {
            const difference = differenceAt(title);
            if (difference?.fails !== undefined) return expect(play(index)).rejects.toThrow(difference.fails);
            const { request, got, comparison } = await play(index);
            if (difference !== undefined) return expectDifference(comparison, got, `differences.json (${difference.why})`);
            if (comparison.soft.length > 0) soft.push({ case: `${scenario.scenario}: ${step.name}`, differences: comparison.soft });
            if (comparison.hard.length > 0)
              expect.fail(describeDifferences(describeStep(step, request.path, request.body, got), comparison.hard));
          });
        });

        it('leaves no unreachable row, and none twice', async () => {
          await play(steps.length - 1).catch(() => undefined);
          const all = await content().rows();
          const left = linksToNothing.has(scenario.scenario) ? [] : unreachable(all, schema);
          expect([...left, ...contradictions(all, schema)]).toEqual([]);
        });

        if (rows === undefined) return;
        it('leaves the recorded rows', async () => {
          await play(steps.length - 1).catch(() => undefined);
          const wanted = linksToNothing.has(scenario.scenario) ? rows : onlyReachable(rows, schema);
          const differences = rowDifferences(wanted, await content().rows(Object.keys(rows).filter((table) => !holdsContent(table))));
          const difference = differenceAt('rows');
          if (difference !== undefined) return expect(differences, `no longer differs (${difference.why})`).not.toEqual([]);
          if (differences.length > 0) expect.fail(describeDifferences('rows of the database', differences));
        });
      });
    }
  });
});

/** Called in the body of a `describe`: the recorded project on a database of its own. */
function useProject(engine: EngineName): { readonly project: () => Project; readonly content: () => ContentDatabase } {
  let opened: { readonly project: Project; readonly content: ContentDatabase } | undefined;
  beforeAll(async () => {
    const project = await emptyProject(engine);
    opened = { project, content: await openContent(project) };
  });
  afterAll(async () => {
    await opened?.content.close();
    await opened?.project.remove();
  });
  const present = () => {
    if (opened === undefined) throw new Error('the project is there from beforeAll on');
    return opened;
  };
  return { project: () => present().project, content: () => present().content };
}

/** Some names occur twice in a scenario. */
const titleOf = ({ name }: Step, index: number) => `${index + 1} ${name}`;

/** The differences between the rows of recorded tables. */
function rowDifferences(recorded: Rows, all: Rows) {
  const ours = Object.fromEntries(Object.keys(recorded).map((table) => [table, all[table] ?? []]));
  return differencesIn(canonicalRows(recorded, schema), canonicalRows(ours, schema), 'rows');
}

function describeStep({ as, request: { method } }: Step, path: string, body: unknown, got: Played['got']): string {
  const answered = JSON.stringify(got.body ?? got.bodyText ?? null);
  return [
    `${as} ${method} ${path}`,
    ...(body === undefined ? [] : [`  sent ${String(body).slice(0, 1000)}`]),
    `  got ${got.status} ${answered.slice(0, 1000)}`,
  ].join('\n');
}

describe('the list of exceptions', () => {
  it.each(stepDifferences)('$scenario, $step was recorded', ({ scenario: name, step, why }) => {
    const scenario = scenarios.find((candidate: Scenario) => candidate.scenario === name);
    expect(
      scenario?.steps.some((candidate, index) => titleOf(candidate, index) === step) || (step === 'rows' && recordedRows.has(name)),
    ).toBe(true);
    expect(readFileSync(new URL('../../docs/differences.md', import.meta.url), 'utf8')).toContain(`- ${why}\n`);
  });
});
