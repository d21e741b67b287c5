/** Describes the failure of a command to the person who ran it. */

import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { printable } from '../text/printable.ts';
import { ApiError } from './api-error.ts';
import { StartError } from './start-error.ts';
import { codeOf, isDiskFull, isForbidden, processUser } from './system-error.ts';

export interface Failure {
  readonly text: string;
  readonly exitCode: number;
}

/** `outcome` is what the problems have led to. */
export function describeFailure(error: unknown, outcome = 'Lectern cannot go on'): Failure {
  const problems = problemsOf(error);
  if (problems !== undefined)
    return { text: enumerate(outcome, problems.map(printableLines)), exitCode: error instanceof StartError ? error.exitCode : 1 };
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { text: `Lectern failed in an unexpected way; please report this:\n${detail}`, exitCode: 1 };
}

/** Undefined for what nobody expects. */
export function problemsOf(error: unknown): readonly string[] | undefined {
  if (error instanceof StartError) return error.problems;
  if (error instanceof ApiError) {
    const several: unknown = error.details?.errors;
    return Array.isArray(several) ? several.map(({ message }: { message: string }) => message) : [error.problem];
  }
  const known = systemErrorOf(error);
  const problem = known === undefined ? undefined : describeSystemError(known);
  return problem === undefined ? undefined : [problem];
}

/** Problems name tables, files and values that others have chosen. */
const printableLines = (text: string) => text.split('\n').map(printable).join('\n');

function enumerate(outcome: string, problems: readonly string[]): string {
  const [only] = problems;
  if (problems.length === 1 && only !== undefined) return `${outcome}: ${only}`;
  return [`${outcome}; ${problems.length} problems:`, ...problems.map((problem) => `  - ${problem.replaceAll('\n', '\n    ')}`)].join('\n');
}

type SystemError = NodeJS.ErrnoException & { readonly code: string; readonly address?: string; readonly port?: number };

function systemErrorOf(error: unknown): SystemError | undefined {
  // A connection to a host with several IP addresses fails with one error for each of them.
  if (error instanceof AggregateError && error.errors.length > 0) return systemErrorOf(error.errors[0]);
  return codeOf(error) === undefined ? undefined : (error as SystemError);
}

function describeSystemError(error: SystemError): string | undefined {
  const endpoint = `${error.address ?? 'the IP address'}${error.port === undefined ? '' : `:${error.port}`}`;
  // `bind`: a worker listens through the process that has started it.
  if (error.syscall === 'listen' || error.syscall === 'bind') {
    switch (error.code) {
      case 'EADDRINUSE':
        return error.port === undefined
          ? 'The port is in use. Choose another one with --port.'
          : `Port ${error.port} is in use by another process. Choose another port: --port ${error.port < 65535 ? error.port + 1 : 0}`;
      case 'EADDRNOTAVAIL':
        return `This machine has no IP address ${error.address ?? ''}: set --host or HOST to one that it has, to 127.0.0.1 (this machine only) or to 0.0.0.0 (all).`;
      case 'EACCES':
        return `This process may not listen on ${endpoint}; ports below 1024 need special rights. Choose another port with --port.`;
      default:
        return `Cannot listen on ${endpoint}: ${error.message}`;
    }
  }
  if (error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN')
    return `A configured host name has no IP address (${error.message}); check HOST and DATABASE_HOST, or DATABASE_URL.`;
  if (error.syscall === 'connect')
    return `The database does not respond at ${endpoint} (${error.code}): is it running, and are DATABASE_HOST and DATABASE_PORT, or DATABASE_URL, right?`;
  const setting = settingBehind.find(([code]) => error.code.startsWith(code))?.[1];
  if (setting !== undefined) return `The database cannot be used: ${error.message}. ${setting}`;
  const { path } = error;
  if (error.syscall === 'mkdtemp' && path !== undefined && dirname(path) === tmpdir())
    return `A temporary folder is needed, and none can be created in ${tmpdir()} (${error.code}). Set TMPDIR to a folder that ${processUser()} may write in.`;
  if (isForbidden(error) && path !== undefined)
    return `${processUser()} may not ${actions[error.syscall ?? ''] ?? 'open'} ${path} (${error.code})`;
  return isForbidden(error) || isDiskFull(error) ? error.message : undefined;
}

/** What calls of the operating system do to a path. */
const actions: Readonly<Record<string, string>> = {
  mkdir: 'create',
  mkdtemp: 'create',
  rename: 'rename',
  rmdir: 'remove',
  unlink: 'remove',
};

/** Advice for errors of drivers, by the beginning of their code. PostgreSQL has SQLSTATE codes.
 *  Other codes, such as those of wrong SQL, mean a bug in Lectern. */
const settingBehind: readonly (readonly [code: string, advice: string])[] = [
  ['28', 'Check DATABASE_USERNAME and DATABASE_PASSWORD, or DATABASE_URL.'],
  ['3D', 'Check DATABASE_NAME or DATABASE_URL, or create the database.'],
  ['3F', 'Check DATABASE_SCHEMA.'],
  ['42501', 'Grant the right to the user that DATABASE_USERNAME names.'],
  ['53', 'The database server has run out of connections, memory or disk space; check DATABASE_POOL_MAX and the server.'],
  ['57P', 'The database server is starting or stopping; retry.'],
  ['ER_ACCESS_DENIED', 'Check DATABASE_USERNAME and DATABASE_PASSWORD, or DATABASE_URL.'],
  ['ER_DBACCESS_DENIED', 'Grant the rights on the database to the user that DATABASE_USERNAME names.'],
  ['ER_TABLEACCESS_DENIED', 'Grant the right to the user that DATABASE_USERNAME names.'],
  ['ER_BAD_DB', 'Check DATABASE_NAME or DATABASE_URL, or create the database.'],
  ['ER_CON_COUNT', 'The database server has run out of connections; check DATABASE_POOL_MAX and the server.'],
  ['ER_SERVER_SHUTDOWN', 'The database server is stopping; retry.'],
  ['SQLITE_NOTADB', 'Check DATABASE_FILENAME, or restore a backup to the file that it names.'],
  ['SQLITE_CANTOPEN', 'Check DATABASE_FILENAME and the rights on its folder.'],
  ['SQLITE_READONLY', 'Check the rights on the file that DATABASE_FILENAME names, and on its folder.'],
  ['SQLITE_CORRUPT', 'Restore the file that DATABASE_FILENAME names from a backup.'],
  ['SQLITE_BUSY', 'Another process is writing to it; retry.'],
  ['SQLITE_FULL', 'The disk is full.'],
  ['SQLITE_IOERR', 'The disk is full or fails.'],
];
