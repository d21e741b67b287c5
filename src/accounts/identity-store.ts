/** Users as other providers know them, and the codes that front ends exchange for tokens. */
import { createHash } from 'node:crypto';
import type { Connection, Database, SqlValue } from '../dialects/dialect.ts';
import { Rows } from '../sql/rows.ts';
import { identitiesTable, signInCodesTable } from '../tables/system-tables.ts';

export interface Identity {
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

export function createIdentityStore(database: Database) {
  const { dialect } = database;
  const identities = dialect.quote(identitiesTable);
  const codes = dialect.quote(signInCodesTable);
  const hashOf = (code: string) => createHash('sha256').update(code).digest('hex');

  async function userIn(connection: Connection, { issuer, subject }: Identity): Promise<number | undefined> {
    const rows = new Rows(connection, dialect);
    const values: SqlValue[] = [];
    const where = `issuer = ${rows.bound(issuer, 'string', values)} AND subject = ${rows.bound(subject, 'string', values)}`;
    const [row] = await rows.query(`SELECT user_id FROM ${identities} WHERE ${where}`, values);
    return row === undefined ? undefined : Number(row[0]);
  }

  return {
    userIn,
    user: (identity: Identity): Promise<number | undefined> => database.read((connection) => userIn(connection, identity)),
    /** As part of a transaction. Of two who come with one identity at once the first one stays. */
    async addIn(connection: Connection, { issuer, subject }: Identity, userId: number): Promise<void> {
      const rows = new Rows(connection, dialect);
      const values: SqlValue[] = [];
      const cells = [
        rows.bound(userId, 'reference', values),
        rows.bound(issuer, 'string', values),
        rows.bound(subject, 'string', values),
        rows.bound(Date.now(), 'datetime', values),
      ];
      await rows.query(
        `INSERT INTO ${identities} (user_id, issuer, subject, created_at) VALUES (${cells.join(', ')}) ON CONFLICT DO NOTHING`,
        values,
      );
    },
    /** Codes that nobody came for go with the next one. */
    addCode(code: string, { provider, challenge, userId, expiresAt }: SignInCode): Promise<void> {
      return database.write(async (connection) => {
        const rows = new Rows(connection, dialect);
        const old: SqlValue[] = [];
        await rows.query(`DELETE FROM ${codes} WHERE expires_at < ${rows.bound(Date.now(), 'datetime', old)}`, old);
        const values: SqlValue[] = [];
        const cells = [
          rows.bound(hashOf(code), 'string', values),
          rows.bound(provider, 'string', values),
          rows.bound(challenge, 'string', values),
          rows.bound(userId, 'reference', values),
          rows.bound(expiresAt, 'datetime', values),
        ];
        await rows.query(`INSERT INTO ${codes} (code_hash, provider, challenge, user_id, expires_at) VALUES (${cells.join(', ')})`, values);
      });
    },
    /** Redeems a code once: of two callers with the same code, in whichever process, only one succeeds. Only a caller with the right verifier uses
     *  the code up, since others may have seen the code on its way. */
    takeCode(code: string, { provider, challenge }: Pick<SignInCode, 'provider' | 'challenge'>): Promise<SignInCode | undefined> {
      return database.write(async (connection) => {
        const rows = new Rows(connection, dialect);
        const values: SqlValue[] = [];
        const [row] = await rows.query(
          `DELETE FROM ${codes} WHERE code_hash = ${rows.bound(hashOf(code), 'string', values)} AND provider = ${rows.bound(provider, 'string', values)} ` +
            `AND challenge = ${rows.bound(challenge, 'string', values)} RETURNING user_id, ${dialect.select('expires_at', 'datetime')}`,
          values,
        );
        if (row === undefined) return undefined;
        const [userId, expiresAt] = row;
        return { provider, challenge, userId: Number(userId), expiresAt: Number(expiresAt) };
      });
    },
  };
}
