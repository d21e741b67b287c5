import { describe, expect, it } from 'vitest';
import type { DataVersion } from '../dialects/database.ts';
import { openSqliteDatabase } from '../dialects/sqlite-connection.ts';
import { createLocales } from './locales.ts';

async function database(...rows: readonly string[]) {
  const opened = openSqliteDatabase(':memory:', { create: true });
  await opened.write((connection) => {
    const datetime = ['created_at', 'updated_at', 'published_at'].map((name) => `${name} datetime`);
    connection.query(
      `CREATE TABLE i18n_locale (id integer PRIMARY KEY, document_id text, name text, code text, ${datetime.join(', ')})`,
      [],
    );
    connection.query('CREATE TABLE strapi_core_store_settings (id integer PRIMARY KEY, key text, value text)', []);
    for (const row of rows) connection.query(`INSERT INTO ${row}`, []);
  });
  let reads = 0;
  const readAtOnce: typeof opened.readAtOnce = (work) => {
    reads++;
    return opened.readAtOnce(work);
  };
  return { source: createLocales({ ...opened, readAtOnce }, () => undefined), reads: () => reads };
}

const locale = (code: string) => `i18n_locale (code) VALUES ('${code}')`;
const setting = (value: string) => `strapi_core_store_settings (key, value) VALUES ('plugin_i18n_default_locale', '${value}')`;

const version = (text: string): DataVersion => ({ epoch: text, of: () => text });

describe('locales', () => {
  it.each([
    ['the setting names the default', [locale('en'), locale('de'), setting('"de"')], 'de', ['en', 'de']],
    ['without a setting, the first one is the default', [locale('fr'), locale('de')], 'fr', ['fr', 'de']],
    ['without rows, the setting', [setting('"de"')], 'de', []],
    ['without anything, English', [], 'en', []],
    ['a setting that has two rows', [locale('en'), locale('de'), setting('"en"'), setting('"en"')], 'en', ['en', 'de']],
  ])('%s', async (_, rows, byDefault, codes) => {
    const { source } = await database(...rows);
    expect(await source.current(version('1'))).toMatchObject({ byDefault, codes });
  });

  it('are looked up once for callers at the same moment, and again for another version', async () => {
    const { source, reads } = await database(locale('en'));
    await Promise.all([source.current(version('1')), source.current(version('1')), source.current(version('1'))]);
    await source.current(version('1'));
    expect(reads()).toBe(1);
    await source.current(version('2'));
    expect(reads()).toBe(2);
  });
});
