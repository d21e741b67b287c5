/** A command of `lectern` in a process of its own, for tests that interrupt it. */
import { spawn } from 'node:child_process';
import type { Database } from '../../src/dialects/database.ts';
import type { Row } from '../../src/dialects/dialect.ts';
import { command, type Environment } from './server.ts';

export interface StartedCommand {
  /** Everything written so far. */
  readonly output: { readonly stdout: string; readonly stderr: string };
  /** The exit status. */
  readonly ended: Promise<number | null>;
  isRunning(): boolean;
  /** As Ctrl-C does. */
  interrupt(): void;
}

export function startCommand(args: readonly string[], env: Environment = {}): StartedCommand {
  const child = spawn(process.execPath, [command, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) child[name].setEncoding('utf8').on('data', (text: string) => (output[name] += text));
  return {
    output,
    ended: new Promise((done) => child.on('close', done)),
    isRunning: () => child.exitCode === null,
    interrupt: () => void child.kill('SIGINT'),
  };
}

/** The statements that a database server is running and that begin with this text. */
export const runningStatements = (database: Database, begin: string): Promise<readonly Row[]> =>
  database.readAtOnce((connection) =>
    connection.query(
      database.dialect.name === 'postgres'
        ? `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query LIKE '${begin}%'`
        : `SELECT INFO FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND INFO LIKE '${begin}%'`,
      [],
    ),
  );
