/** Replays everything that was recorded of writing content to a Strapi 5.54.0 against profile `strapi`: all of it on one engine, and on the
 *  others what depends on the engine. One scenario:
 *  `npx vitest run test/compatibility/writes.test.ts -t 'positions'`. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { anyEngine, type EngineName, engines } from '../support/engines.ts';
import type { SentRequest } from '../support/http.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { useMade } from '../support/use-made.ts';
import { differencesIn } from './compare.ts';
import { holdsContent, openContent } from './content-database.ts';
import { type Played, player } from './player.ts';
import { orderOfRecordings } from './recordings.ts';
import { describeDifferences, expectDifference } from './report.ts';
import { canonicalRows, contradictions, onlyReachable, type Rows, readRowSchema, unreachable } from './rows.ts';
import {
  credentials,
  emptyProject,
  environmentOf,
  linksToNothing,
  recordedRows,
  type Scenario,
  type Step,
  scenarios,
  schemaFiles,
  startDatabase,
  stepDifferences,
  withQuickHashes,
} from './scenarios.ts';
import { signIns } from './sign-ins.ts';

const schema = readRowSchema(startDatabase, schemaFiles);

const settingsOf = (scenario: Scenario) => JSON.stringify(environmentOf(scenario));

/** How bodies and tokens are read, who may do what, and what is a file: the same on every engine, unless the scenario leaves recorded rows or differs. */
const aboutRequests = new Set(['bodies.json', 'media.json', 'permissions.json', 'users.json']);
const scenariosOn = (engine: EngineName) =>
  scenarios.filter(
    ({ file, scenario }) =>
      anyEngine.includes(engine) ||
      !aboutRequests.has(file) ||
      recordedRows.has(scenario) ||
      stepDifferences.some((entry) => entry.scenario === scenario && entry.engine === engine),
  );

describe.each(engines)('%s', (engine) => {
  const project = useMade(() => emptyProject(engine));
  const content = useMade(() => openContent(project()));

  // Scenarios with the same settings share a server.
  describe.each([...new Set(scenariosOn(engine).map(settingsOf))])('settings %s', (settings) => {
    const server = useMade(() => {
      const env = { ...project().env, ...credentials.env, ...orderOfRecordings, LECTERN_PROFILE: 'strapi', ...JSON.parse(settings) };
      return startServer(project().dir, env);
    });

    /** A client with an address of its own, as attempts to sign in are counted by address. */
    const clientAt = (from: string) => {
      const client: Pick<RunningServer, 'base' | 'send'> = { base: server().base, send: (request) => server().send({ ...request, from }) };
      return { server: client, signIn: signIns(client, credentials.users) };
    };

    // A loop and not `each`: names hold signs that it would take for placeholders.
    for (const scenario of scenariosOn(engine).filter((each) => settingsOf(each) === settings)) {
      const rows = recordedRows.get(scenario.scenario);
      const differenceAt = (step: string) =>
        stepDifferences.find((entry) => entry.scenario === scenario.scenario && entry.step === step && (entry.engine ?? engine) === engine);

      const end = rows === undefined ? 'leaves no unreachable row' : 'leaves the recorded rows';
      it(`${scenario.file} ${scenario.scenario}: gives the recorded responses, and ${end}`, async () => {
        await content().reset();
        const play = player(scenario, clientAt(`127.0.1.${1 + scenarios.indexOf(scenario)}`));
        for (const [index, step] of scenario.steps.entries()) {
          const title = titleOf(step, index);
          const difference = differenceAt(title);
          if (difference?.fails !== undefined) {
            await expect.soft(play(index), title).rejects.toThrow(difference.fails);
            continue;
          }
          const { request, got, differences } = await play(index);
          if (difference !== undefined) {
            expectDifference(differences, got, `${title} in differences.json (${difference.why})`);
            continue;
          }
          // All that differ are shown.
          expect.soft(differences, describeDifferences(describeStep(step, index, request, got), differences)).toEqual([]);
        }

        const left = await content().rows(Object.keys(rows ?? {}).filter((table) => !holdsContent(table)));
        const mayLinkToNothing = linksToNothing.has(scenario.scenario);
        expect([...(mayLinkToNothing ? [] : unreachable(left, schema)), ...contradictions(left, schema)]).toEqual([]);
        if (rows === undefined) return;
        const differences = rowDifferences(mayLinkToNothing ? rows : onlyReachable(rows, schema), left);
        const difference = differenceAt('rows');
        if (difference !== undefined) return expect(differences, `no longer differs (${difference.why})`).not.toEqual([]);
        expect(differences, describeDifferences('rows of the database', differences)).toEqual([]);
      });
    }
  });
});

/** Some names occur twice in a scenario. */
const titleOf = ({ name }: Step, index: number) => `${index + 1} ${name}`;

/** The differences between the rows of recorded tables. */
function rowDifferences(recorded: Rows, all: Rows) {
  const ours = Object.fromEntries(Object.keys(recorded).map((table) => [table, all[table] ?? []]));
  return differencesIn(canonicalRows(withQuickHashes(recorded), schema), canonicalRows(ours, schema), 'rows');
}

function describeStep(step: Step, index: number, { path, body }: SentRequest, got: Played['got']): string {
  const responded = JSON.stringify(got.body ?? got.bodyText ?? null);
  return [
    `${titleOf(step, index)}: ${step.as} ${step.request.method} ${path}`,
    ...(body === undefined ? [] : [`  sent ${String(body).slice(0, 1000)}`]),
    `  got ${got.status} ${responded.slice(0, 1000)}`,
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
