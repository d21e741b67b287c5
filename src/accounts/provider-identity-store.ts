/** Identities of users at other providers, and the codes that front ends exchange for tokens. */
import { createHash } from 'node:crypto';
import type { Connection, Database } from '../dialects/database.ts';
import { writeRetried } from '../dialects/retry-conflicts.ts';
import { run } from '../sql/run.ts';
import { type Sql, sql } from '../sql/sql.ts';
import { identitiesTable, signInCodesTable } from '../tables/system-tables.ts';

export interface IdentityKey {
  readonly issuer: string;
  readonly subject: string;
}

export interface SignInCode {
  readonly provider: string;
  /** SHA-256 of the front end's verifier, base64url. */
  readonly challenge: string;
  readonly userId: number;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export type IdentityStore = ReturnType<typeof createIdentityStore>;

const identities = sql.id(identitiesTable);
const codes = sql.id(signInCodesTable);
const moment = (milliseconds: number): Sql => sql.value(milliseconds, 'datetime');

export function createIdentityStore(database: Database) {
  const hashOf = (code: string) => createHash('sha256').update(code).digest('hex');

  async function userIn(connection: Connection, { issuer, subject }: IdentityKey): Promise<number | undefined> {
    const [row] = await run(connection, sql`SELECT user_id FROM ${identities} WHERE issuer = ${issuer} AND subject = ${subject}`);
    return row === undefined ? undefined : Number(row[0]);
  }

  return {
    userIn,
    user: (identity: IdentityKey): Promise<number | undefined> => database.read((connection) => userIn(connection, identity)),
    /** Runs inside a transaction. Of two requests that add one identity, the first wins. */
    async addIn(connection: Connection, { issuer, subject }: IdentityKey, userId: number): Promise<void> {
      const values = sql`${userId}, ${issuer}, ${subject}, ${moment(Date.now())}`;
      await run(
        connection,
        sql`INSERT INTO ${identities} (user_id, issuer, subject, created_at) VALUES (${values})${sql.ask((dialect) => dialect.unlessPresent('user_id'))}`,
      );
    },
    /** Deletes expired codes as well. */
    addCode(code: string, { provider, challenge, userId, expiresAt }: SignInCode): Promise<void> {
      return writeRetried(database, async (connection) => {
        await run(connection, sql`DELETE FROM ${codes} WHERE expires_at < ${moment(Date.now())}`);
        const values = sql`${hashOf(code)}, ${provider}, ${challenge}, ${userId}, ${moment(expiresAt)}`;
        await run(connection, sql`INSERT INTO ${codes} (code_hash, provider, challenge, user_id, expires_at) VALUES (${values})`);
      });
    },
    /** Redeems a code once, also when two processes get it at the same time. Only the right
     *  verifier uses the code up, since others may have seen the code on its way. */
    takeCode(code: string, { provider, challenge }: Pick<SignInCode, 'provider' | 'challenge'>): Promise<SignInCode | undefined> {
      return writeRetried(database, async (connection) => {
        const isCode = sql`code_hash = ${hashOf(code)} AND provider = ${provider} AND challenge = ${challenge}`;
        const [row] = await run(
          connection,
          sql`SELECT user_id, ${sql.read(sql`expires_at`, 'datetime')} FROM ${codes} WHERE ${isCode}${sql.rowLock}`,
        );
        if (row === undefined) return undefined;
        await run(connection, sql`DELETE FROM ${codes} WHERE ${isCode}`);
        const [userId, expiresAt] = row;
        return { provider, challenge, userId: Number(userId), expiresAt: Number(expiresAt) };
      });
    },
  };
}
