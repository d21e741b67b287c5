import { describe, expect, it } from 'vitest';
import { serverErrorOf } from './mysql-errors.ts';

const serverError = (errno: number, message: string) => Object.assign(new Error(message), { errno });

describe('errors of MariaDB about files', () => {
  it.each([
    [3, `Error writing file '/tmp/#sql-temptable-3125-10-37.MAD' (Errcode: 28 "No space left on device")`, 'full'],
    [1026, `Error writing file './content/works.MYD' (errno: 28 "No space left on device")`, 'full'],
    [1030, 'Got error 28 "No space left on device" from storage engine InnoDB', 'full'],
    [1180, 'Got error 28 "No space left on device" during COMMIT', 'full'],
    [3, `Error writing file '/tmp/28' (Errcode: 5 "Input/output error")`, undefined],
    [1030, 'Got error 128 "Out of memory" from storage engine InnoDB', undefined],
    // Its text repeats a value.
    [1366, `Incorrect integer value: 'error 28' for column 'number'`, 'value'],
  ])('%i %s: %s', (errno, message, kind) => {
    expect(serverErrorOf(serverError(errno, message))).toBe(kind);
  });
});
