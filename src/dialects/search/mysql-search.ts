/** Full-text indexes of MariaDB and MySQL: the words of each column as a text, and one FULLTEXT
 *  index of all columns. The index finds the rows; what decides is the text of the columns. */
import { literal, quote } from '../quote.ts';
import type { TextMatch } from '../text-match.ts';
import { isWhole, MatchWriter, ownName, rankOfRow, searchPrefix, type TextSyntax, textOf, watchedTables } from './index-parts.ts';
import type { IndexDefinition, SearchDialect, Searched, SearchTerm } from './types.ts';

/** Stands before each word. FULLTEXT leaves out words of one or two letters and some frequent ones,
 *  none of which begins like this. */
const mark = 'zz';
/** FULLTEXT leaves out words with more than 84 characters. */
const indexedCharacters = 60;
/** Compares words without letter case and diacritics. */
const collation = 'utf8mb4_unicode_520_ci';

const words = (text: string): string => String.raw`REGEXP_REPLACE(${text}, '[^\p{L}\p{Nd}\p{M}]+', ' ')`;

/** The texts in JSON, with its escapes as spaces. */
const blocksText = (column: string): string =>
  ["'\\\\'", "'\\\"'", "'\\n'", "'\\r'", "'\\t'"].reduce(
    (text, escaped) => `REPLACE(${text}, ${escaped}, ' ')`,
    `CAST(JSON_EXTRACT(${column}, '$**.text') AS CHAR)`,
  );

const syntax: TextSyntax = {
  text: (column, holds) => (holds === 'text' ? column : blocksText(column)),
  // A list in JSON has no limit where GROUP_CONCAT has a thousand characters. Words need no escapes.
  aggregate: (text) => `CAST(JSON_ARRAYAGG(${words(`COALESCE(${text}, '')`)}) AS CHAR)`,
  // Without a lock, a trigger would read the state at the beginning of the transaction.
  lock: ' LOCK IN SHARE MODE',
};

const entries = ({ rows, columns }: IndexDefinition): string =>
  `SELECT r.id, ${columns
    .map(({ texts }) => `REPLACE(CONCAT(' ', ${words(`COALESCE(${textOf(texts, 'r', syntax)}, '')`)}, ' '), ' ', ' ${mark}')`)
    .join(', ')} FROM ${quote(rows)} r`;

const into = ({ table, columns }: IndexDefinition): string =>
  `REPLACE INTO ${quote(table)} (id, ${columns.map(({ name }) => name).join(', ')})`;

function triggersOf(index: IndexDefinition): string[] {
  const own = ownName(index.table);
  const remake = (ids: string) => `${into(index)} ${entries(index)} WHERE r.id IN (${ids})`;
  return watchedTables(index, ' FROM DUAL').flatMap(({ table, kind, columns, ids }, number) => {
    const trigger = (event: string, body: string) =>
      `CREATE TRIGGER ${quote(`${own}_${number}_${event.toLowerCase()}`)} AFTER ${event} ON ${quote(table)} FOR EACH ROW BEGIN ${body}; END`;
    const same = columns.map((column) => `NEW.${quote(column)} <=> OLD.${quote(column)}`).join(' AND ');
    const updated = kind === 'links' ? `${remake(ids('OLD'))}; ${remake(ids('NEW'))}` : remake(ids('NEW'));
    return [
      trigger('INSERT', remake(ids('NEW'))),
      ...(columns.length === 0 ? [] : [trigger('UPDATE', `IF NOT (${same}) THEN ${updated}; END IF`)]),
      trigger('DELETE', kind === 'rows' ? `DELETE FROM ${quote(index.table)} WHERE id = OLD.id` : remake(ids('OLD'))),
    ];
  });
}

/** Words have only letters, digits and marks, so a pattern has no other `%` and `_`. */
const pattern = ({ words: its, isPrefix }: SearchTerm): string =>
  `%${its.map((word) => ` ${mark}${word}`).join('')}${isPrefix ? '' : ' '}%`;

/** Writes the condition that one of the columns has the term. */
function some(match: MatchWriter, names: readonly string[], term: SearchTerm): void {
  for (const [index, name] of names.entries()) {
    match.text(`${index === 0 ? '(' : ' OR '}s.${name} LIKE `);
    match.value(pattern(term));
  }
  match.text(')');
}

/** What FULLTEXT finds rows by: each word has to be there. */
const indexedWords = (terms: readonly SearchTerm[]): readonly string[] =>
  terms.flatMap(({ words: its, isPrefix }) =>
    its.flatMap((word, index) =>
      word.length > indexedCharacters ? [] : `+${mark}${word}${isPrefix && index === its.length - 1 ? '*' : ''}`,
    ),
  );

function matches(searched: Searched, id: string): TextMatch {
  const { table, columns, all, terms } = searched;
  const match = new MatchWriter();
  match.text(`${id} IN (SELECT s.id FROM ${quote(table)} s WHERE `);
  const indexed = indexedWords(terms);
  if (indexed.length > 0) {
    match.text(`MATCH (${all.map((name) => `s.${name}`).join(', ')}) AGAINST (`);
    match.value(indexed.join(' '));
    match.text(' IN BOOLEAN MODE)');
  }
  const names = columns.map(({ name }) => name);
  const isFound = ({ words: its }: SearchTerm) =>
    isWhole(searched) && its.length === 1 && its.every((word) => word.length <= indexedCharacters);
  for (const [index, term] of terms.filter((each) => !isFound(each)).entries()) {
    if (index > 0 || indexed.length > 0) match.text(' AND ');
    some(match, names, term);
  }
  match.text(')');
  return match;
}

const rank = (searched: Searched, id: string): TextMatch => rankOfRow(searched, id, some);

export const mysqlSearch: SearchDialect = {
  create: (index) => {
    const names = index.columns.map(({ name }) => name);
    return [
      `CREATE TABLE ${quote(index.table)} (id integer PRIMARY KEY, ${names.map((name) => `${name} longtext`).join(', ')}, FULLTEXT KEY ${quote(`${ownName(index.table)}_words`)} (${names.join(', ')})) CHARACTER SET utf8mb4 COLLATE ${collation} ENGINE InnoDB`,
      ...triggersOf(index),
    ];
  },
  fill: (index, from, to) => [`${into(index)} ${entries(index)} WHERE r.id > ${from} AND r.id <= ${to} LOCK IN SHARE MODE`],
  fillsAtOnce: 1,
  finish: () => [],
  triggers: `SELECT TRIGGER_NAME, EVENT_OBJECT_TABLE FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = DATABASE() AND TRIGGER_NAME LIKE ${literal(`${searchPrefix}%`)}`,
  dropTrigger: (name) => [`DROP TRIGGER IF EXISTS ${quote(name)}`],
  drop: (table) => [`DROP TABLE IF EXISTS ${quote(table)}`],
  matches,
  rank,
};
