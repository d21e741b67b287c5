/** Full-text indexes of PostgreSQL: a `tsvector` for each column, and an index of all together. */
import { literal, quote } from '../quote.ts';
import type { TextMatch } from '../text-match.ts';
import { isWhole, MatchWriter, ownName, rankOfRow, searchPrefix, type TextSyntax, textOf, watchedTables } from './index-parts.ts';
import type { IndexDefinition, SearchDialect, Searched, SearchTerm } from './types.ts';

/** The characters of a text that are indexed, all columns together: a `tsvector` has a megabyte at
 *  most, and a longer one would make the write fail. */
const indexedCharacters = 240_000;

/** Characters besides spaces that are neither letters, digits nor marks, by their code points: what
 *  `[:punct:]` means depends on the locale of the database. The parser of `to_tsvector` would join
 *  words at some of them: `example.org`, `well-known`. */
const separators = [
  String.raw`\u0001-\u001f\u0021-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7`,
  String.raw`\u2000-\u206f\u2070\u2074-\u207e\u2080-\u208e\u20a0-\u20cf\u2150-\u2bff\u2e00-\u2e7f\u3000-\u3004\u3007-\u3030\u3036-\u303a`,
  String.raw`\u303d-\u3040\u30fb\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\U0001f000-\U0001faff`,
].join('');

/** The function that returns the vector of a text: its words without diacritics, in lower case. */
const vectorFunction = (table: string): string => `${ownName(table)}_vector`;

/** A single space stays as it is: each match costs as much as the words around it. What has only
 *  ASCII characters, as most texts in Latin letters then have, needs no parser, which takes three
 *  times as long. As it does, this leaves out words that a `tsvector` cannot have. */
const createVectorFunction = (table: string): string =>
  `CREATE OR REPLACE FUNCTION ${quote(vectorFunction(table))}(value text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $lectern$
DECLARE words text := value;
BEGIN
  IF octet_length(words) <> length(words) THEN
    words := normalize(regexp_replace(normalize(words, NFD), '[\\u0300-\\u036f]+', '', 'g'), NFC);
  END IF;
  words := lower(regexp_replace(words, ' *[${separators}][${separators} ]*|  +', ' ', 'g'));
  IF octet_length(words) <> length(words) THEN RETURN to_tsvector('simple', words); END IF;
  RETURN coalesce((
    SELECT string_agg(word || ':' || position, ' ')
    FROM unnest(string_to_array(words, ' ')) WITH ORDINALITY AS each(word, position)
    WHERE word <> '' AND length(word) < 2047), '')::tsvector;
END $lectern$`;

const syntax: TextSyntax = {
  text: (column, holds) =>
    holds === 'text'
      ? column
      : `(SELECT string_agg(j #>> '{}', ' ') FROM jsonb_path_query(${column}::jsonb, 'strict $.** ? (@.type() == "object" && exists(@.text)).text', '{}', true) j)`,
  aggregate: (text) => `string_agg(${text}, ' ')`,
  lock: '',
};

/** Its names are found in the schema of the tables, whoever writes. */
const functionEnd = 'SECURITY DEFINER SET search_path FROM CURRENT';

/** The function that makes the entries of some rows anew. It locks the rows first: an entry is
 *  made of the state that every earlier writer of the row, or of one of its components, has left.
 *  A later statement of a function has a new snapshot. The lock of the table is that of a write,
 *  also where only components were changed: batches wait for it. */
function remakeFunction(index: IndexDefinition): string {
  const { table, rows } = index;
  return `CREATE OR REPLACE FUNCTION ${quote(ownName(table))}(changed integer[]) RETURNS void LANGUAGE plpgsql ${functionEnd} AS $lectern$
BEGIN
  IF changed = '{}' THEN RETURN; END IF;
  LOCK TABLE ${quote(rows)} IN ROW EXCLUSIVE MODE;
  PERFORM 1 FROM ${quote(rows)} r WHERE r.id = ANY (changed) ORDER BY r.id FOR NO KEY UPDATE;
  DELETE FROM ${quote(table)} WHERE id = ANY (changed);
  ${insert(index)} WHERE r.id = ANY (changed);
END $lectern$`;
}

function insert({ table, rows, columns }: IndexDefinition): string {
  const length = Math.floor(indexedCharacters / columns.length);
  const vectors = columns.map(
    ({ texts }) => `${quote(vectorFunction(table))}(left(coalesce(${textOf(texts, 'r', syntax)}, ''), ${length}))`,
  );
  return `INSERT INTO ${quote(table)} (id, ${columns.map(({ name }) => name).join(', ')}) SELECT r.id, ${vectors.join(', ')} FROM ${quote(rows)} r`;
}

/** The vector of all columns, which only the index has. */
const words = (names: readonly string[], row = ''): string => names.map((name) => `${row}${name}`).join(' || ');

function triggersOf(index: IndexDefinition): string[] {
  const own = ownName(index.table);
  return watchedTables(index).flatMap(({ table, kind, columns, ids }, number) => {
    const trigger = (event: string, when: string, body: string): string[] => {
      const name = quote(`${own}_${number}_${event.toLowerCase()}`);
      return [
        `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql ${functionEnd} AS $lectern$ BEGIN ${body}; RETURN NULL; END $lectern$`,
        `CREATE TRIGGER ${name} AFTER ${event} ON ${quote(table)} FOR EACH ROW${when} EXECUTE FUNCTION ${name}()`,
      ];
    };
    const remake = (selected: string) => `PERFORM ${quote(own)}(ARRAY(${selected}))`;
    // A type json has no equality.
    const differ = columns.map((column) => `OLD.${quote(column)}::text IS DISTINCT FROM NEW.${quote(column)}::text`).join(' OR ');
    return [
      ...trigger('INSERT', '', remake(ids('NEW'))),
      ...(columns.length === 0
        ? []
        : trigger('UPDATE', ` WHEN (${differ})`, remake(kind === 'links' ? `${ids('OLD')} UNION ${ids('NEW')}` : ids('NEW')))),
      ...trigger('DELETE', '', kind === 'rows' ? `DELETE FROM ${quote(index.table)} WHERE id = OLD.id` : remake(ids('OLD'))),
    ];
  });
}

/** Words have no quotes, but nothing relies on that. */
const lexeme = (word: string): string => `'${word.replaceAll(/['\\]/g, ' ')}'`;

/** `'hot' <-> 'ov':*` */
const phrase = ({ words, isPrefix }: SearchTerm): string => `${words.map(lexeme).join(' <-> ')}${isPrefix ? ':*' : ''}`;

/** Writes a query in the letter case of the index, which the database decides. */
function query(match: MatchWriter, value: string): void {
  match.text('lower(');
  match.value(value);
  match.text('::text)::tsquery');
}

/** Writes the condition that one of the columns has the term. */
function some(match: MatchWriter, names: readonly string[], term: SearchTerm): void {
  for (const [index, name] of names.entries()) {
    match.text(`${index === 0 ? '(' : ' OR '}s.${name} @@ `);
    query(match, phrase(term));
  }
  match.text(')');
}

function matches(searched: Searched, id: string): TextMatch {
  const { table, columns, all, terms } = searched;
  const match = new MatchWriter();
  match.text(`${id} IN (SELECT s.id FROM ${quote(table)} s WHERE (${words(all, 's.')}) @@ `);
  query(match, terms.map((term) => `(${phrase(term)})`).join(' & '));
  const names = columns.map(({ name }) => name);
  // In the vector of all columns, a phrase may begin in one of them and end in the next.
  for (const term of terms) {
    if (isWhole(searched) && term.words.length === 1) continue;
    match.text(' AND ');
    some(match, names, term);
  }
  match.text(')');
  return match;
}

const rank = (searched: Searched, id: string): TextMatch => rankOfRow(searched, id, some);

export const postgresSearch: SearchDialect = {
  create: (index) => [
    `CREATE TABLE ${quote(index.table)} (id integer PRIMARY KEY, ${index.columns.map(({ name }) => `${name} tsvector NOT NULL`).join(', ')})`,
    createVectorFunction(index.table),
    remakeFunction(index),
    ...triggersOf(index),
  ],
  // Without locks of rows, which would be written into each of them. Writers wait for a batch, and
  // batches do not wait for each other.
  fill: (index, from, to) => [
    `LOCK TABLE ${quote(index.rows)} IN SHARE MODE`,
    `DELETE FROM ${quote(index.table)} WHERE id > ${from} AND id <= ${to}`,
    `${insert(index)} WHERE r.id > ${from} AND r.id <= ${to}`,
  ],
  fillsAtOnce: 2,
  // An index that is made at once is smaller, and made in less time, than one that grows.
  finish: ({ table, columns }) => [
    `CREATE INDEX CONCURRENTLY ${quote(`${ownName(table)}_words`)} ON ${quote(table)} USING gin ((${words(columns.map(({ name }) => name))}))`,
    `ANALYZE ${quote(table)}`,
  ],
  triggers: `SELECT t.tgname::text, c.relname::text FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = current_schema() AND t.tgenabled <> 'D' AND t.tgname LIKE ${literal(`${searchPrefix.replaceAll('_', '\\_')}%`)}`,
  dropTrigger: (name, table) => [`DROP TRIGGER IF EXISTS ${quote(name)} ON ${quote(table)}`, `DROP FUNCTION IF EXISTS ${quote(name)}()`],
  drop: (table) => [
    `DROP TABLE IF EXISTS ${quote(table)}`,
    `DROP FUNCTION IF EXISTS ${quote(ownName(table))}(integer[])`,
    `DROP FUNCTION IF EXISTS ${quote(vectorFunction(table))}(text)`,
  ],
  matches,
  rank,
};
