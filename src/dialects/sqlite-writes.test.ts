import { afterAll, describe, expect, it } from 'vitest';
import { sqliteSearch } from './search/sqlite-search.ts';
import { Driver } from './sqlite-driver.ts';
import { WriteRecord } from './sqlite-writes.ts';

const handle = new Driver(':memory:');
handle.pragma('foreign_keys = ON');
handle.exec(`
  CREATE TABLE pages (id integer PRIMARY KEY AUTOINCREMENT, title text);
  CREATE INDEX pages_title ON pages (title);
  CREATE TABLE links (id integer PRIMARY KEY, page_id integer REFERENCES pages (id) ON DELETE CASCADE);
  CREATE TABLE hints (id integer PRIMARY KEY, link_id integer REFERENCES links (id) ON DELETE SET NULL);
  CREATE TABLE notes (id integer PRIMARY KEY, text text);
  CREATE TABLE log (text text);
  CREATE TRIGGER notes_log AFTER INSERT ON notes BEGIN INSERT INTO log VALUES ('noted'); END;
`);
afterAll(() => void handle.close());

const writtenBy = (...statements: readonly (readonly [text: string, ...parameters: readonly unknown[]])[]) => {
  const record = new WriteRecord(handle);
  record.begin();
  for (const [text, ...parameters] of statements) record.note(text, parameters);
  return (
    record
      .commit()
      .tables?.filter((table) => table !== 'sqlite_sequence')
      .toSorted() ?? 'any table'
  );
};

describe('the tables that a transaction writes', () => {
  it.each([
    ['nothing', [], []],
    ['a row', [['INSERT INTO pages (title) VALUES (?)', 'a']], ['pages']],
    ['a row whose id is returned', [['INSERT INTO pages (title) VALUES (?) RETURNING id', 'a']], ['pages']],
    ['a column without keys', [['UPDATE pages SET title = ? WHERE id = ?', 'a', 1]], ['pages']],
    ['a row with all that refers to it', [['DELETE FROM pages WHERE id = ?', 1]], ['hints', 'links', 'pages']],
    ['all rows', [['DELETE FROM pages']], ['hints', 'links', 'pages']],
    ['all rows of a table that none refers to', [['DELETE FROM log']], ['log']],
    ['a row that replaces another one', [['INSERT OR REPLACE INTO links (id) VALUES (1)']], ['hints', 'links']],
    ['what a trigger writes', [["INSERT INTO notes (text) VALUES ('a')"]], ['log', 'notes']],
    ['not what is only read', [['INSERT INTO hints (link_id) SELECT id FROM links']], ['hints']],
    ['several statements', [['UPDATE pages SET title = NULL'], ['DELETE FROM log']], ['log', 'pages']],
    ['a new table', [['CREATE TABLE other (id integer)']], 'any table'],
    ['a new column', [['ALTER TABLE log ADD COLUMN at integer']], 'any table'],
    ['a table that goes', [['DROP TABLE log']], 'any table'],
    ['a setting of the file', [['PRAGMA user_version = 3']], 'any table'],
  ] as const)('%s', (_, statements, tables) => {
    expect(writtenBy(...statements)).toEqual(tables);
  });

  it('follows changes of the schema', () => {
    const record = new WriteRecord(handle);
    const written = () => {
      record.begin();
      record.note("UPDATE notes SET text = 'b'", []);
      return record.commit().tables;
    };
    expect(written()).toEqual(['notes']);
    handle.exec("CREATE TRIGGER notes_again AFTER UPDATE ON notes BEGIN INSERT INTO log VALUES ('changed'); END");
    expect(written()?.toSorted()).toEqual(['log', 'notes']);
    handle.exec('DROP TRIGGER notes_again');
    expect(written()).toEqual(['notes']);
  });
});

describe('a table with a full-text index', () => {
  const own = new Driver(':memory:');
  own.exec('CREATE TABLE posts (id integer PRIMARY KEY, title text)');
  const index = {
    table: 'lectern_search_posts',
    rows: 'posts',
    columns: [
      { name: 'c0', texts: [{ kind: 'column', attribute: 'title', column: 'title', holds: 'text' } as const], isRanked: true },
      { name: 'c1', texts: [{ kind: 'column', attribute: 'title', column: 'title', holds: 'text' } as const], isRanked: false },
    ],
  };
  for (const statement of sqliteSearch.create(index)) own.exec(statement);
  afterAll(() => void own.close());
  const written = () => {
    const record = new WriteRecord(own);
    record.begin();
    record.note("INSERT INTO posts (title) VALUES ('a')", []);
    return record.commit().tables;
  };

  it('is written without its index, which is no table of its own', () => {
    expect(written()).toEqual(['posts']);
  });

  it('may be any table where there are other virtual ones', () => {
    own.exec('CREATE VIRTUAL TABLE others USING fts5(text)');
    expect(written()).toBeUndefined();
  });
});

describe('what a transaction says that it changes', () => {
  const change = (record: WriteRecord, table: string, ...noted: readonly number[]) => {
    record.note(`UPDATE ${table} SET id = id WHERE id = ?`, [1]);
    if (noted.length > 0) record.noteChanges(noted, [table]);
  };
  const changed = (work: (record: WriteRecord) => void) => {
    const record = new WriteRecord(handle);
    record.begin();
    work(record);
    return record.commit().changed;
  };

  it('covers the tables that it names', () => {
    expect(changed((record) => change(record, 'notes', 5))).toEqual({ keys: [5], tables: [] });
    expect(changed((record) => change(record, 'notes'))).toEqual({ keys: [], tables: ['notes'] });
  });

  it('does not cover what another write of the same transaction changed in the same table', () => {
    const shared = changed((record) => {
      change(record, 'notes', 5);
      record.endWrite();
      change(record, 'notes');
      record.endWrite();
      change(record, 'pages', 7);
      record.endWrite();
    });
    expect(shared).toEqual({ keys: [5, 7], tables: ['notes'] });
  });

  it('is forgotten with its transaction', () => {
    const record = new WriteRecord(handle);
    record.begin();
    change(record, 'notes', 5);
    record.endWrite();
    record.begin();
    change(record, 'pages', 7);
    expect(record.commit()).toMatchObject({ tables: ['pages'], changed: { keys: [7], tables: [] } });
  });
});
