/** The log of slow requests (`log.slow`): where the time went, without values of the query, the
 *  body and the path. Logs are read by more people than the content. */
import { decoded, queryOf } from '../text/url-parts.ts';
import type { AnsweredRequest } from './observer.ts';
import type { StatementPlan } from './request-record.ts';

export interface SlowLog {
  warn(line: object, message: string): void;
}

export interface SlowOptions {
  /** Milliseconds from which a request is slow. */
  readonly from: number;
  readonly withPlans: boolean;
  readonly log: SlowLog;
}

const maxParameters = 50;
const maxStatements = 5;
/** Characters of a statement. */
const maxStatementLength = 2000;
const maxPlanLines = 100;
const maxPlanLineLength = 2000;

export function createSlowLog({ from, withPlans, log }: SlowOptions): (answered: AnsweredRequest) => void {
  /** Asking for plans costs connections: requests that are slow meanwhile are logged without. */
  let isExplaining = false;
  return (answered) => {
    if (answered.milliseconds < from) return;
    const line = lineOf(answered);
    const explain = withPlans && !isExplaining ? answered.record?.explain : undefined;
    if (explain === undefined) {
      log.warn(line, 'slow request');
      return;
    }
    isExplaining = true;
    explain()
      .then(shownPlans, (error: unknown) => `the database did not return them: ${error instanceof Error ? error.name : 'error'}`)
      .then((plans) => log.warn({ ...line, plans }, 'slow request'))
      .finally(() => {
        isExplaining = false;
      });
  };
}

function lineOf({ id, method, url, route, status, milliseconds, caller, cache, stages, statements, record }: AnsweredRequest) {
  const slowest = [...(record?.statements ?? [])].sort((one, other) => other.milliseconds - one.milliseconds).slice(0, maxStatements);
  return {
    requestId: id,
    method,
    route: route ?? 'unknown',
    parameters: parameterNames(url),
    status,
    milliseconds: rounded(milliseconds),
    caller,
    cache,
    stages: Object.fromEntries(stages.map(([name, time]) => [name, rounded(time)])),
    statements,
    slowestStatements: slowest.map(({ text, milliseconds: time }) => ({
      sql: text.slice(0, maxStatementLength),
      milliseconds: rounded(time),
    })),
  };
}

const shownPlans = (plans: readonly StatementPlan[]) =>
  plans.map(({ name, plan }) => ({
    name,
    plan: withoutValues(plan)
      .slice(0, maxPlanLines)
      .map((line) => line.slice(0, maxPlanLineLength)),
  }));

const plainName = /^[\w$.:-]{1,100}(?:\[[\w$.:-]{0,100}\])*$/;

/** The names of the parameters of a query: `?filters[title][$eq]=Bread&sort=title` gives
 *  `filters[title][$eq]` and `sort`. Callers can choose any name, so unusual ones are `…`. */
export function parameterNames(url: string): readonly string[] {
  const names = new Set<string>();
  for (const part of queryOf(url).split('&')) {
    if (names.size >= maxParameters) break;
    const [sent = ''] = part.split('=', 1);
    const name = decoded(sent) ?? sent;
    if (name !== '') names.add(plainName.test(name) ? name : '…');
  }
  return [...names];
}

/** The lines of a plan without estimates, and without the values that the engine has put into its
 *  conditions. A value may have line breaks, and a quoted name the quotes of values. */
export const withoutValues = (plan: readonly string[]): string[] =>
  plan
    .join('\n')
    .replaceAll(/("(?:[^"]|"")*")|'(?:[^']|'')*(?:'|$)/g, (_, name: string | undefined) => name ?? '?')
    .replaceAll(/\s*\(cost=[^)]*\)/g, '')
    .replaceAll(/(?<![\w."])-?\d+(?:\.\d+)?(?![\w"])/g, '?')
    .split('\n');

const rounded = (milliseconds: number) => Math.round(milliseconds * 100) / 100;
