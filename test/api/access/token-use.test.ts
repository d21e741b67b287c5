/** `last_used_at` of API tokens: written in the background, once an hour. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Driver } from '../../../src/dialects/sqlite-driver.ts';
import { engineSql } from '../../support/engine-sql.ts';
import { anyEngine, engines } from '../../support/engines.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { useProject } from '../../support/served-project.ts';
import { startServer } from '../../support/server.ts';

vi.setConfig({ testTimeout: 30_000 });

const files = schemaFiles({ note: { attributes: { title: { type: 'string' } } } });

describe.each(engines)('%s: the last use of a token', (engine) => {
  const names = ['background', 'closing', 'recent', 'old', 'forbidden', 'unused', 'unwritable', 'patient'];
  const rights = ['api::note.note.find', 'api::note.note.create'];
  const served = useProject(engine, {
    files,
    env: { LECTERN_LIMITS_STATEMENT_TIME: '60000' },
    tokens: Object.fromEntries(names.map((name) => [name, rights])),
  });
  const { moment, milliseconds } = engineSql[engine];
  const lastUse = async (name: string) => {
    const [[time] = []] = await served.query(`SELECT ${milliseconds('last_used_at')} FROM strapi_api_tokens WHERE name = '${name}'`);
    return time === null ? null : Number(time);
  };
  const setLastUse = (name: string, time: number) =>
    served.change(`UPDATE strapi_api_tokens SET last_used_at = ${moment(time)} WHERE name = '${name}'`);
  const list = (who: string) => served.send(who, { path: '/api/notes' });
  /** Sends a request for each to a server that is then stopped, and so writes when the tokens were used. */
  const useAndStop = async (...uses: readonly (readonly [who: string, status: number, path?: string])[]) => {
    const server = await startServer(served.project.dir, served.environment);
    for (const [who, status, path = '/api/notes'] of uses) expect((await server.get(path, served.authorization(who))).status).toBe(status);
    await server.stop();
    return server.output.stderr;
  };

  describe.runIf(anyEngine.includes(engine))('in the background', () => {
    // The uses of some seconds are written together: only that timer is turned forward, and connections go on as usual.
    const stopTimers = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    afterEach(() => void vi.useRealTimers());
    const isWritten = (name: string) => vi.waitFor(async () => expect(await lastUse(name)).not.toBeNull(), { timeout: 10_000 });

    it('is written some seconds after the request, and not again within the hour', async () => {
      const before = Date.now();
      stopTimers();
      expect((await list('background')).status).toBe(200);
      expect(await lastUse('background')).toBeNull();
      vi.advanceTimersByTime(5000);
      await isWritten('background');
      vi.useRealTimers();
      const first = Number(await lastUse('background'));
      expect(first).toBeGreaterThanOrEqual(before);
      expect(first).toBeLessThanOrEqual(Date.now());
      await list('background');
      // What it has not written yet, a server writes when it stops.
      await served.restart({});
      expect(await lastUse('background')).toBe(first);
      expect(await lastUse('unused')).toBeNull();
    });

    it.runIf(engine === 'sqlite')('does not stop a long write of that token, which holds the lock, and is written after it', async () => {
      // Some seconds of work for the process that writes.
      await served.change(`CREATE TRIGGER long AFTER INSERT ON notes BEGIN SELECT count(*) FROM (
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000000) SELECT i FROM n); END`);
      stopTimers();
      await list('patient');
      const other = new Driver(served.project.file, { timeout: 0 });
      const isFree = () => {
        try {
          other.exec('BEGIN IMMEDIATE; ROLLBACK');
          return true;
        } catch {
          return false;
        }
      };
      const written = served.ask('patient', 'POST', '/api/notes', { title: 'long' });
      for (let attempt = 0; isFree() && attempt < 2000; attempt++) await pause(10);
      other.close();
      vi.advanceTimersByTime(5000);
      expect((await written).status).toBe(201);
      expect(await lastUse('patient')).toBeNull();
      vi.advanceTimersByTime(5000);
      await isWritten('patient');
      vi.useRealTimers();
      await served.change('DROP TRIGGER long');
    });
  });

  it('is written when the server stops, also if the token had no right, and unless another process wrote it within the hour', async () => {
    const halfAnHourAgo = Date.now() - 1_800_000;
    await setLastUse('recent', halfAnHourAgo);
    await setLastUse('old', Date.now() - 3_700_000);
    await useAndStop(['closing', 200], ['forbidden', 403, '/api/users'], ['recent', 200], ['old', 200]);
    for (const name of ['closing', 'forbidden', 'old']) expect(Date.now() - Number(await lastUse(name)), name).toBeLessThan(60_000);
    expect(Math.round(Number(await lastUse('recent')))).toBe(halfAnHourAgo);
  });

  it('does not fail a request if the database cannot be written to', async () => {
    const restore = await makeReadOnly();
    try {
      expect(await useAndStop(['unwritable', 200])).toContain('the last use of API tokens cannot be recorded');
    } finally {
      await restore();
    }
    expect(await lastUse('unwritable')).toBeNull();
  });

  /** For connections that are opened from now on. Root may write to any file of SQLite and to any database of MariaDB, so there a trigger says no. */
  async function makeReadOnly(): Promise<() => Promise<void>> {
    if (engine === 'postgres') {
      const [[name] = []] = await served.query('SELECT current_database()');
      await served.change(`ALTER DATABASE ${String(name)} SET default_transaction_read_only = on`);
      return () => served.change(`SET TRANSACTION READ WRITE; ALTER DATABASE ${String(name)} RESET default_transaction_read_only`);
    }
    const refusal =
      engine === 'sqlite'
        ? "BEGIN SELECT RAISE(ABORT, 'read only'); END"
        : "FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'read only'";
    await served.change(`CREATE TRIGGER read_only BEFORE UPDATE ON strapi_api_tokens ${refusal}`);
    return () => served.change('DROP TRIGGER read_only');
  }
});
