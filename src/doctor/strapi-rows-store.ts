/** Rows of Strapi's tables that show what a site uses: webhooks, providers, workflows, releases. */
import type { Connection, Database } from '../dialects/database.ts';
import { run } from '../sql/run.ts';
import { type Sql, sql } from '../sql/sql.ts';
import { readSetting } from '../tables/settings-store.ts';
import { deliveriesTable, settingsTable } from '../tables/system-tables.ts';
import { isObject } from '../text/json.ts';

export interface StrapiRows {
  /** Names of webhooks that are switched on. */
  readonly webhooks: readonly string[];
  /** Whether the database has the tables that sending them needs. */
  readonly sendsWebhooks: boolean;
  /** Providers that are switched on in the panel, besides `email`. */
  readonly providers: readonly string[];
  readonly workflows: number;
  /** Releases that are to be published at a time. */
  readonly scheduledReleases: number;
  /** API tokens of the content API, by type. */
  readonly apiTokens: Readonly<Record<string, number>>;
  /** Those of `tables` that have no rows. */
  readonly empty: ReadonlySet<string>;
}

/** More names are not listed. */
const maxNames = 200;

export async function readStrapiRows(database: Database, tables: readonly string[]): Promise<StrapiRows> {
  const live = new Map((await database.tables()).map(({ name, columns }) => [name, columns]));
  const has = (table: string, ...columns: readonly string[]) => columns.every((column) => live.get(table)?.has(column) === true);
  return await database.read(async (connection) => {
    const names = async (query: Sql) => (await run(connection, query)).map(([name]) => String(name));
    const count = async (query: Sql) => Number((await run(connection, query))[0]?.[0] ?? 0);
    const tokens = has('strapi_api_tokens', 'type')
      ? await run(connection, sql`SELECT type, count(*) FROM strapi_api_tokens GROUP BY type`)
      : [];
    const empty: string[] = [];
    for (const table of tables) {
      if (has(table, 'id') && (await run(connection, sql`SELECT id FROM ${sql.id(table)} LIMIT 1`)).length === 0) empty.push(table);
    }
    return {
      webhooks: has('strapi_webhooks', 'name', 'enabled')
        ? await names(sql`SELECT name FROM strapi_webhooks WHERE enabled = ${sql.value(true, 'boolean')} ORDER BY name LIMIT ${maxNames}`)
        : [],
      sendsWebhooks: has(deliveriesTable),
      providers: has(settingsTable, 'key', 'value') ? await enabledProviders(connection) : [],
      // A workflow without types has no effect.
      workflows: has('strapi_workflows', 'content_types')
        ? (await names(sql`SELECT content_types FROM strapi_workflows LIMIT ${maxNames}`)).filter((types) => types.includes('::')).length
        : 0,
      scheduledReleases: has('strapi_releases', 'scheduled_at', 'released_at')
        ? await count(sql`SELECT count(*) FROM strapi_releases WHERE scheduled_at IS NOT NULL AND released_at IS NULL`)
        : 0,
      apiTokens: Object.fromEntries(tokens.map(([type, number]) => [String(type), Number(number)])),
      empty: new Set(empty),
    };
  });
}

async function enabledProviders(connection: Connection): Promise<readonly string[]> {
  const grant = await readSetting(connection, 'plugin_users-permissions_grant');
  if (!isObject(grant)) return [];
  return Object.entries(grant).flatMap(([name, value]) => (name !== 'email' && isObject(value) && value.enabled === true ? [name] : []));
}
