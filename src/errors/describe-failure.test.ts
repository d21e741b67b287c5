import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeFailure } from './describe-failure.ts';
import { StartError } from './start-error.ts';
import { processUser } from './system-error.ts';

const systemError = (fields: Readonly<Record<string, unknown>>) => Object.assign(new Error('refused'), fields);

const cases: readonly { readonly it: string; readonly error: unknown; readonly says: string; readonly exitCode?: number }[] = [
  { it: 'a name that would move the cursor', error: new StartError(['No table \u001b[2J\u009b.']), says: 'No table \ufffd[2J\ufffd.' },
  { it: 'one problem in a line', error: new StartError(['No bread.']), says: 'Lectern cannot go on: No bread.' },
  {
    it: 'several in a list, their further lines indented',
    error: new StartError(['No bread.', 'No maps:\nlook.'], 2),
    says: 'Lectern cannot go on; 2 problems:\n  - No bread.\n  - No maps:\n    look.',
    exitCode: 2,
  },
  {
    it: 'an address of another machine',
    error: systemError({ code: 'EADDRNOTAVAIL', syscall: 'listen', address: '10.9.9.9' }),
    says: '10.9.9.9',
  },
  {
    it: 'a port for root alone',
    error: systemError({ code: 'EACCES', syscall: 'listen', address: '0.0.0.0', port: 80 }),
    says: '0.0.0.0:80',
  },
  { it: 'a name that nobody knows', error: systemError({ code: 'ENOTFOUND' }), says: 'HOST and DATABASE_HOST' },
  {
    it: 'a database that is away, tried at several addresses',
    error: new AggregateError([systemError({ code: 'ECONNREFUSED', syscall: 'connect', address: '::1', port: 5432 })]),
    says: 'The database does not respond at ::1:5432 (ECONNREFUSED)',
  },
  {
    it: 'a wrong password',
    error: systemError({ code: '28P01' }),
    says: 'The database cannot be used: refused. Check DATABASE_USERNAME',
  },
  {
    it: 'a folder that may not be created',
    error: systemError({ code: 'EACCES', syscall: 'mkdir', path: '/srv/site/src/api' }),
    says: `Lectern cannot go on: ${processUser()} may not create /srv/site/src/api (EACCES)`,
  },
  {
    it: 'a file that may not be read',
    error: systemError({ code: 'EACCES', syscall: 'open', path: '/srv/site/a.json' }),
    says: `${processUser()} may not open /srv/site/a.json (EACCES)`,
  },
  ...['EACCES', 'ENOENT', 'ENOSPC'].map((code) => ({
    it: `no folder for temporary files: ${code}`,
    error: systemError({ code, syscall: 'mkdtemp', path: join(tmpdir(), 'lectern-demo-XXXXXX') }),
    says: `none can be created in ${tmpdir()} (${code}). Set TMPDIR to a folder that ${processUser()} may write in.`,
  })),
  { it: 'a file of another kind', error: systemError({ code: 'SQLITE_NOTADB' }), says: 'DATABASE_FILENAME' },
  {
    it: 'our own mistake, with its trace',
    error: new TypeError('x is undefined'),
    says: 'please report this:\nTypeError: x is undefined\n    at ',
  },
  { it: 'wrong SQL, which is our mistake', error: systemError({ code: '42601' }), says: 'please report this' },
];

describe('describeFailure', () => {
  it.each(cases)('$it', ({ error, says, exitCode = 1 }) => {
    const failure = describeFailure(error);
    expect(failure.text).toContain(says);
    expect(failure.exitCode).toBe(exitCode);
  });

  it.each([
    [1337, 'Port 1337 is in use by another process. Choose another port: --port 1338'],
    [65535, '--port 0'],
  ])('the taken port %i', (port, says) => {
    const { text } = describeFailure(systemError({ code: 'EADDRINUSE', syscall: 'listen', address: '127.0.0.1', port }));
    expect(text).toContain(says);
  });
});
