import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Dialect } from '../dialects/dialect.ts';
import { mysqlDialect } from '../dialects/mysql.ts';
import { serverOf } from '../dialects/mysql-servers.ts';
import { postgres, postgresInItsOrder } from '../dialects/postgres.ts';
import { sqlite } from '../dialects/sqlite.ts';
import { loadModel } from '../model/load/load-model.ts';
import { createIndex, ownIndexesFor } from './index-statements.ts';
import { physicalSchema } from './physical-schema.ts';

const recordings = fileURLToPath(new URL('../../test/compatibility/recordings/reads/', import.meta.url));
const ddl = readFileSync(`${recordings}ddl.sql`, 'utf8');

/** Tables that Lectern does not use. */
const notOurs = /^(sqlite_|strapi_(migrations$|database_schema|webhooks|ai_|release|workflow|transfer|history))/;

function recordedTables() {
  const tables = new Map<string, { columns: string[]; foreignKeys: string[] }>();
  for (const [, name = '', body = ''] of ddl.matchAll(/^CREATE TABLE (?:IF NOT EXISTS )?["`]?(\w+)["`]? ?\((.*)\);$/gm)) {
    if (notOurs.test(name)) continue;
    const [columns = ''] = body.split(', CONSTRAINT');
    const keys = body.matchAll(/CONSTRAINT `(\w+)` FOREIGN KEY \(`(\w+)`\) REFERENCES `(\w+)` \(`id`\) ON DELETE ([A-Z ]+)/g);
    tables.set(name, {
      columns: [...columns.matchAll(/`(\w+)` ([a-z]+(?:\(\d+\))?)/g)].map(([, column, type]) => `${column} ${type}`),
      // SQLite repeats constraints whenever Strapi rebuilds a table.
      foreignKeys: [...new Set([...keys].map(([, key, column, target, action]) => `${key} ${column} ${target} ${action?.trim()}`))].sort(),
    });
  }
  return tables;
}

function recordedIndexes(): string[] {
  return [...ddl.matchAll(/^CREATE (UNIQUE )?INDEX `(\w+)` on `(\w+)` \((.*)\);$/gm)]
    .filter(([, , , table = '']) => !notOurs.test(table))
    .map(([, unique = '', name, table, columns = '']) => `${unique}${name} ${table} ${columns.replaceAll('`', '')}`)
    .sort();
}

describe('the physical schema of the recorded project', () => {
  const result = loadModel(`${recordings}project`, { customFields: {}, asStrapi: false });
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  const tables = physicalSchema(result.model).filter((table) => !table.name.startsWith('lectern_'));
  const recorded = recordedTables();

  it('has exactly the tables that Strapi made', () => {
    expect(tables.map((table) => table.name).sort()).toEqual([...recorded.keys()].sort());
  });

  it.each(tables.map((table) => [table.name, table] as const))('%s has the columns and foreign keys that Strapi made', (name, table) => {
    const columns = table.columns.map((column) => {
      const type = column.type === 'id' ? 'integer' : sqlite.tables.columnDefinition(column.type);
      return `${column.name} ${type.replace(/ null$/i, '')}`;
    });
    const foreignKeys = table.foreignKeys.map((key) => `${key.name} ${key.column} ${key.references} ${key.onDelete}`).sort();
    expect({ columns, foreignKeys }).toEqual(recorded.get(name));
  });

  it('has exactly the indexes that Strapi made', () => {
    const indexes = tables.flatMap((table) =>
      table.indexes.map((index) => `${index.unique ? 'UNIQUE ' : ''}${index.name} ${table.name} ${index.columns.join(', ')}`),
    );
    expect(indexes.sort()).toEqual(recordedIndexes());
  });

  const own = (name: string, dialect: Dialect) => {
    const table = tables.find((each) => each.name === name);
    if (table === undefined) throw new Error(`There is no table ${name}.`);
    return ownIndexesFor(table, dialect).map((index) => createIndex(table, index, dialect).replaceAll(/CREATE INDEX |["`]/g, ''));
  };

  it('has indexes of its own for lists of published entries and of drafts, in the order of their times, and for searches', () => {
    const [published, drafts] = [' WHERE published_at IS NOT NULL', ' WHERE published_at IS NULL'];
    expect(own('articles', sqlite)).toEqual([
      `lectern_articles_published ON articles (locale, id)${published}`,
      `lectern_articles_drafts ON articles (locale, id)${drafts}`,
      `lectern_articles_published_at_published ON articles (locale, published_at DESC, id)${published}`,
      `lectern_articles_created_at_published ON articles (locale, created_at DESC, id)${published}`,
      `lectern_articles_created_at_drafts ON articles (locale, created_at DESC, id)${drafts}`,
      `lectern_articles_updated_at_published ON articles (locale, updated_at DESC, id)${published}`,
      `lectern_articles_updated_at_drafts ON articles (locale, updated_at DESC, id)${drafts}`,
      `lectern_articles_title_searched ON articles (locale, id, title, published_at)${published}`,
      'lectern_articles_slug_unique ON articles (slug, locale)',
    ]);
    // Not localized, and without drafts: the rows have no publication to sort by.
    expect(own('authors', sqlite)).toEqual([
      'lectern_authors_created_at_sorted ON authors (created_at DESC, id)',
      'lectern_authors_updated_at_sorted ON authors (updated_at DESC, id)',
      'lectern_authors_name_searched ON authors (name, id)',
    ]);
  });

  it('sorts nulls in its indexes as the statements of each profile do on PostgreSQL', () => {
    expect(own('authors', postgres)[0]).toBe('lectern_authors_created_at_sorted ON authors (created_at DESC NULLS LAST, id)');
    expect(own('authors', postgresInItsOrder)[0]).toBe('lectern_authors_created_at_sorted ON authors (created_at DESC, id)');
  });

  it('has indexes of all rows on engines without partial indexes', () => {
    expect(own('articles', mysqlDialect(serverOf('10.11.8-MariaDB'), true))).toEqual([
      'lectern_articles_published_at_sorted ON articles (locale, published_at DESC, id)',
      'lectern_articles_created_at_sorted ON articles (locale, created_at DESC, id, published_at)',
      'lectern_articles_updated_at_sorted ON articles (locale, updated_at DESC, id, published_at)',
      'lectern_articles_slug_unique ON articles (slug, locale)',
    ]);
  });

  it('has no such indexes for the single row of a single type, nor for types without routes', () => {
    expect(own('homepages', sqlite)).toEqual([expect.stringContaining('(locale, id)'), expect.stringContaining('(locale, id)')]);
    expect(own('strapi_sessions', sqlite).filter((text) => text.includes('created_at'))).toEqual([]);
  });
});
