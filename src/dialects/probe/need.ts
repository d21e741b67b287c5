/** What Lectern needs of a database server, and what is found when it is tried. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Row } from '../dialect.ts';
import type { Run } from './two-connections.ts';

/** One row of a table in docs/scaling.md, "Distributed engines", which is made of these. */
export interface Need<Session> {
  /** Names in backticks are those of the statements; `needs.test.ts` looks for them there. */
  readonly what: string;
  readonly usedFor: string;
  /** A sentence without a full stop: what happens where it does not work. */
  readonly without: string;
  /** Whether Lectern cannot be used without it. */
  readonly isEssential: boolean;
  /** Tries it, and returns what does not work; an error of the server counts as well. A transaction
   *  that is left open is rolled back afterwards. */
  try(session: Session): Promise<readonly string[]>;
}

export interface ProbeOptions {
  /** The limit for a statement. Milliseconds. */
  readonly statementTime: number;
  /** Ends the probe between two trials. */
  readonly signal: AbortSignal;
}

export interface Finding {
  readonly state: 'works' | 'falls back' | 'missing';
  readonly what: string;
  readonly usedFor: string;
  /** What does not work; undefined if it works. */
  readonly reason: string | undefined;
  /** What follows if it does not. */
  readonly consequence: string;
}

export interface ProbeReport {
  /** Name and version. */
  readonly engine: string;
  readonly findings: readonly Finding[];
  /** What else an operator should know, a sentence each. */
  readonly notes: readonly string[];
}

export const isUsable = ({ findings }: ProbeReport): boolean => findings.every(({ state }) => state !== 'missing');

/** The text without the markup of the documentation, for a terminal. */
const plain = (text: string) => text.replaceAll('**', '').replaceAll('`', '');

const found = ({ what, usedFor, without, isEssential }: Need<never>, reasons: readonly string[]): Finding => ({
  state: reasons.length === 0 ? 'works' : isEssential ? 'missing' : 'falls back',
  what: plain(what),
  usedFor: plain(usedFor),
  reason: reasons.length === 0 ? undefined : reasons.join('; '),
  consequence: plain(without),
});

interface Trials<Session> {
  readonly needs: readonly Need<Session>[];
  readonly session: Session;
  readonly signal: AbortSignal;
  /** Whether the server refused a statement: other errors end the probe. */
  readonly isRefusal: (error: unknown) => error is Error;
  /** Ends the transactions that a trial has left. */
  readonly reset: () => Promise<void>;
}

export async function tryAll<Session>({ needs, session, signal, isRefusal, reset }: Trials<Session>): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const need of needs) {
    signal.throwIfAborted();
    const reasons = await need.try(session).catch((error: unknown) => {
      if (isRefusal(error)) return [error.message.trim()];
      throw error;
    });
    await reset();
    findings.push(found(need, reasons));
  }
  return findings;
}

/** Two connections, and a table with one row for a trial. */
interface Sides {
  readonly one: Run;
  readonly two: Run;
  readonly table: string;
}

export interface Exclusion extends Sides {
  readonly begin: string;
  /** Takes the lock that two connections should not have at once. */
  readonly lock: (run: Run) => Promise<unknown>;
  /** Set if the end of the transaction does not release it. */
  readonly release?: (run: Run) => Promise<unknown>;
}

/** A round trip of the second connection counts as a wait if it takes this many times as long as
 *  one of the first, and at least as many milliseconds. */
const [roundTrips, minWait] = [5, 200];

/** Whether the second connection waits for the first, and then sees what it has committed. */
export async function tryExclusion({ one, two, table, begin, lock, release }: Exclusion): Promise<readonly string[]> {
  const took = async (run: Run) => {
    await run(begin);
    await lock(run);
  };
  const began = performance.now();
  await took(one);
  const time = Math.max(minWait, roundTrips * (performance.now() - began));
  const attempt = took(two).then(
    () => 'taken' as const,
    (error: unknown) => ({ error }),
  );
  const early = await Promise.race([attempt, pause(time, 'waits' as const)]);
  await one(`UPDATE ${table} SET title = 'locked'`);
  await one('COMMIT');
  await release?.(one);
  const late = await attempt;
  if (typeof late === 'object') throw late.error;
  const [[title] = []] = early === 'waits' ? await two(`SELECT title FROM ${table}`) : [];
  await release?.(two);
  if (early !== 'waits') return ['a second connection does not wait for the first one'];
  return title === 'locked' ? [] : ['after it has waited, a connection does not see what the other one has committed'];
}

/** Whether a transaction of the first connection sees a row that the second one commits meanwhile. */
export async function seesCommits({ one, table }: Pick<Sides, 'one' | 'table'>, write: () => Promise<unknown>): Promise<boolean> {
  const count = async () => Number((await one(`SELECT COUNT(*) FROM ${table}`))[0]?.[0]);
  const before = await count();
  await write();
  return (await count()) > before;
}

/** Whether a statement that takes two seconds ends when it is canceled. */
export async function tryCancel(other: Run, slow: () => Promise<readonly Row[]>, cancel: () => Promise<void>): Promise<readonly string[]> {
  let isOver = false;
  // For an interrupted wait, a server may return a row instead of an error.
  const ended = slow().then(
    (rows) => {
      isOver = true;
      return Number(rows[0]?.[0]) === 1;
    },
    () => true,
  );
  // The server should have begun it.
  await other('SELECT 1');
  await pause(minWait);
  if (!isOver) await cancel();
  return (await ended) ? [] : ['a statement goes on, as behind a connection pooler, which gives connections other numbers'];
}

/** Tries each statement, and says which of them fail or return something else, by their names. */
export async function tryEach(
  run: Run,
  tries: readonly (readonly [name: string, text: string, expected: unknown])[],
): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const [name, text, expected] of tries) {
    try {
      const [[value] = []] = await run(text);
      if (String(value) !== String(expected)) failed.push(`${name} returns ${String(value)} instead of ${String(expected)}`);
    } catch (error) {
      failed.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return failed;
}
