import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sqlite } from '../dialects/sqlite.ts';
import { loadModel } from '../model/load/load-model.ts';
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
      const type = column.type === 'id' ? 'integer' : sqlite.columnDefinition(column.type);
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

  it('has indexes of its own for lists of published entries and of drafts', () => {
    const articles = tables.find((table) => table.name === 'articles');
    expect(articles?.ownIndexes.map((index) => index.name)).toEqual([
      'lectern_articles_published',
      'lectern_articles_drafts',
      'lectern_articles_slug_unique',
    ]);
    expect(tables.find((table) => table.name === 'authors')?.ownIndexes).toEqual([]);
  });
});
