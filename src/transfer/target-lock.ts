/** Locks the target for the command: two at once would copy rows twice, or drop what the other has
 *  completed. */
import type { DatabaseConfig } from '../config/config.ts';
import { lockFileBeside } from '../dialects/transfer/lock-file.ts';
import type { SessionLock } from '../dialects/transfer/types.ts';
import { openSide, type Side } from './open-side.ts';
import { TransferRefused } from './refused.ts';

/** Rejects if the lock is lost: then another command may be writing already. */
export type VerifyLock = () => Promise<void>;

export async function withTargetLocked<T>(to: DatabaseConfig, { engine }: Side, work: (verifyLock: VerifyLock) => Promise<T>): Promise<T> {
  return engine.lock === undefined ? withLockFile(to.filename, work) : withSessionLock(to, engine.lock, work);
}

const isTaken = () => new TransferRefused(['--to: another `lectern transfer` into this database is running.']);
const isLost = () =>
  new TransferRefused([
    '--to: the lock on this database is lost, so another transfer could begin. Run the same command again, which continues; connect to the server itself and not to a connection pooler.',
  ]);

async function withLockFile<T>(filename: string, work: (verifyLock: VerifyLock) => Promise<T>): Promise<T> {
  const lock = lockFileBeside(filename);
  if (lock === undefined) throw isTaken();
  try {
    return await work(async () => {
      if (!lock.isHeld()) throw isLost();
    });
  } finally {
    lock.release();
  }
}

/** Milliseconds. Servers close idle connections; a statement on the other one may take hours. */
const useEvery = 10_000;

async function withSessionLock<T>(to: DatabaseConfig, lock: SessionLock, work: (verifyLock: VerifyLock) => Promise<T>): Promise<T> {
  const { database } = await openSide({ ...to, poolMin: 0, poolMax: 1 }, false, '--to');
  try {
    return await database.readAtOnce(async (connection) => {
      const ask = async (statement: string) => {
        const [row] = await connection.query(statement, []);
        return row?.[0] === true || row?.[0] === 1;
      };
      const isHeld = () => ask(lock.isHeld).catch(() => false);
      if (!(await ask(lock.take))) throw isTaken();
      const use = setInterval(() => void isHeld(), useEvery);
      try {
        return await work(async () => {
          if (!(await isHeld())) throw isLost();
        });
      } finally {
        clearInterval(use);
        await ask(lock.release).catch(() => false);
      }
    });
  } finally {
    await database.close();
  }
}
