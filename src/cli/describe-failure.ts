/** What a person reads when a command fails. */
import { StartError } from '../errors/start-error.ts';

export interface Failure {
  readonly text: string;
  readonly exitCode: number;
}

export async function describeFailure(error: unknown): Promise<Failure> {
  if (error instanceof StartError) return { text: enumerate(error.problems), exitCode: error.exitCode };
  const known = systemErrorOf(error);
  const problem = known === undefined ? undefined : await describeSystemError(known);
  if (problem !== undefined) return { text: enumerate([problem]), exitCode: 1 };
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { text: `Lectern failed in a way that it does not know; please report this:\n${detail}`, exitCode: 1 };
}

function enumerate(problems: readonly string[]): string {
  const [only] = problems;
  if (problems.length === 1 && only !== undefined) return `Lectern cannot go on: ${only}`;
  return [
    `Lectern cannot go on; ${problems.length} problems:`,
    ...problems.map((problem) => `  - ${problem.replaceAll('\n', '\n    ')}`),
  ].join('\n');
}

interface SystemError {
  readonly code: string;
  readonly message: string;
  readonly syscall: string | undefined;
  readonly address: string | undefined;
  readonly port: number | undefined;
}

function systemErrorOf(error: unknown): SystemError | undefined {
  if (!(error instanceof Error)) return undefined;
  // Connecting to a name with several addresses fails with one error for each of them.
  if (error instanceof AggregateError && error.errors.length > 0) return systemErrorOf(error.errors[0]);
  const read = (key: string): unknown => Object.getOwnPropertyDescriptor(error, key)?.value;
  const code = read('code');
  if (typeof code !== 'string') return undefined;
  const [syscall, address, port] = [read('syscall'), read('address'), read('port')];
  return {
    code,
    message: error.message,
    syscall: typeof syscall === 'string' ? syscall : undefined,
    address: typeof address === 'string' ? address : undefined,
    port: typeof port === 'number' ? port : undefined,
  };
}

async function describeSystemError(error: SystemError): Promise<string | undefined> {
  const place = `${error.address ?? 'the address'}${error.port === undefined ? '' : `:${error.port}`}`;
  if (error.syscall === 'listen') {
    switch (error.code) {
      case 'EADDRINUSE':
        return describeTakenPort(error.port);
      case 'EADDRNOTAVAIL':
        return `This machine has no address ${error.address ?? ''} to listen on: set --host or HOST to one of its own, 127.0.0.1 (this machine only) or 0.0.0.0 (all).`;
      case 'EACCES':
        return `This process may not listen on ${place}; ports below 1024 need special rights. Choose another with --port.`;
      default:
        return `Cannot listen on ${place}: ${error.message}`;
    }
  }
  if (error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN')
    return `No address is known for a configured host name (${error.message}); look at HOST and DATABASE_HOST.`;
  if (error.syscall === 'connect')
    return `The database does not answer at ${place} (${error.code}): is it running, and are DATABASE_HOST and DATABASE_PORT right?`;
  const setting = settingBehind.find(([code]) => error.code.startsWith(code))?.[1];
  if (setting !== undefined) return `The database cannot be used: ${error.message}. ${setting}`;
  if (error.code === 'EACCES' || error.code === 'EPERM' || error.code === 'EROFS' || error.code === 'ENOSPC') return error.message;
  return undefined;
}

/** What drivers say at the start, by the beginning of the code (PostgreSQL: SQLSTATE, appendix A of its manual), and where to look then. Errors
 *  that are not here, such as those of wrong SQL, are ours. */
const settingBehind: readonly (readonly [code: string, advice: string])[] = [
  ['28', 'Look at DATABASE_USERNAME and DATABASE_PASSWORD.'],
  ['3D', 'Look at DATABASE_NAME, or create the database.'],
  ['3F', 'Look at DATABASE_SCHEMA.'],
  ['42501', 'Grant the right to the user that DATABASE_USERNAME names.'],
  ['53', 'The database server has no room left; look at DATABASE_POOL_MAX and at the server.'],
  ['57P', 'The database server is starting or stopping; try again.'],
  ['SQLITE_NOTADB', 'Look at DATABASE_FILENAME.'],
  ['SQLITE_CANTOPEN', 'Look at DATABASE_FILENAME and at the rights on its folder.'],
  ['SQLITE_READONLY', 'Look at the rights on the file that DATABASE_FILENAME names, and on its folder.'],
  ['SQLITE_CORRUPT', 'Restore the file that DATABASE_FILENAME names from a backup.'],
  ['SQLITE_BUSY', 'Another process is writing to it; try again.'],
  ['SQLITE_FULL', 'The disk is full.'],
];

async function describeTakenPort(port: number | undefined): Promise<string> {
  if (port === undefined) return 'The port is taken. Choose another with --port.';
  const { portHolder } = await import('./port-holder.ts');
  const holder = await portHolder(port);
  const who = holder === undefined ? 'another process' : `process ${holder.pid} (${holder.command})`;
  return `Port ${port} is taken by ${who}. Stop it, or choose another port: --port ${port < 65535 ? port + 1 : 0}`;
}
