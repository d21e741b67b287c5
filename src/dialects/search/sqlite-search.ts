/** Full-text indexes of SQLite: FTS5 tables without the texts themselves. */
import { literal, quote } from '../quote.ts';
import type { TextMatch } from '../text-match.ts';
import { isWhole, MatchWriter, ownName, searchPrefix, type TextSyntax, textOf, type WatchedTable, watchedTables } from './index-parts.ts';
import type { IndexColumn, IndexDefinition, SearchDialect, Searched, SearchTerm } from './types.ts';

/** Words are letters, digits and marks, as in `search-words.ts`. */
const tokenizer = "unicode61 remove_diacritics 2 categories 'L* Nd Mn Mc'";

const syntax: TextSyntax = {
  // Strapi stores JSON strings without their quotes, which is no JSON.
  text: (column, holds) =>
    holds === 'text'
      ? column
      : `(SELECT group_concat(j.value, ' ') FROM json_tree(CASE WHEN json_valid(${column}) THEN ${column} END) j WHERE j.key = 'text' AND j.type = 'text')`,
  aggregate: (text) => `group_concat(${text}, ' ')`,
  lock: '',
};

/** A table of FTS5, with its columns. */
interface Part {
  readonly table: string;
  readonly columns: readonly Pick<IndexColumn, 'name' | 'texts'>[];
}

/** The table of one column. A query of a single column in a table of several reads the entries of a
 *  word in all of them, and words of a title stand mostly in long texts. */
const ofColumn = (table: string, name: string): string => `${ownName(table)}_${name}`;

const partsOf = ({ table, columns }: IndexDefinition): readonly Part[] => [
  { table, columns },
  ...columns.filter(({ isRanked }) => isRanked).map((column) => ({ table: ofColumn(table, column.name), columns: [column] })),
];

const entries = ({ columns }: Part, { rows }: IndexDefinition): string =>
  `SELECT r.id, ${columns.map(({ texts }) => textOf(texts, 'r', syntax)).join(', ')} FROM ${quote(rows)} r`;

const into = ({ table, columns }: Part): string => `INTO ${quote(table)} (rowid, ${columns.map(({ name }) => name).join(', ')})`;

function triggersOf(index: IndexDefinition): string[] {
  const own = ownName(index.table);
  const parts = partsOf(index);
  const remove = (ids: string) => parts.map(({ table }) => `DELETE FROM ${quote(table)} WHERE rowid IN (${ids});`).join(' ');
  const remake = (ids: string) =>
    `${remove(ids)} ${parts.map((part) => `INSERT ${into(part)} ${entries(part, index)} WHERE r.id IN (${ids});`).join(' ')}`;
  return watchedTables(index).flatMap(({ table, kind, columns, ids }: WatchedTable, number) => {
    const trigger = (event: string, when: string, body: string) =>
      `CREATE TRIGGER ${quote(`${own}_${number}_${event.toLowerCase()}`)} AFTER ${event} ON ${quote(table)}${when} BEGIN ${body} END`;
    const differ = columns.map((column) => `OLD.${quote(column)} IS NOT NEW.${quote(column)}`).join(' OR ');
    return [
      trigger('INSERT', '', remake(ids('NEW'))),
      ...(columns.length === 0
        ? []
        : [trigger('UPDATE', ` WHEN ${differ}`, remake(kind === 'links' ? `${ids('OLD')} UNION ${ids('NEW')}` : ids('NEW')))]),
      trigger('DELETE', '', kind === 'rows' ? remove('SELECT OLD.id') : remake(ids('OLD'))),
    ];
  });
}

/** Nothing in a word needs more than quotes: the tokenizer takes everything else for a separator. */
const phrase = ({ words, isPrefix }: SearchTerm): string => `"${words.join(' ').replaceAll('"', ' ')}"${isPrefix ? ' *' : ''}`;

/** Writes the condition that the row is one of those that a table finds. The engine finds them all,
 *  once. */
function find(match: MatchWriter, table: string, query: string, id: string): void {
  match.text(`${id} IN (SELECT rowid FROM ${quote(table)} WHERE ${quote(table)} MATCH `);
  match.value(query);
  match.text(')');
}

/** The same condition, asked for this row alone. */
function has(match: MatchWriter, table: string, query: string, id: string): void {
  match.text(`EXISTS (SELECT 1 FROM ${quote(table)} WHERE ${quote(table)} MATCH `);
  match.value(query);
  match.text(` AND rowid = ${id})`);
}

/** The query of all terms. Limiting it to all columns would read where each word stands. */
function queryOf(searched: Searched): string {
  const terms = searched.terms.map(phrase).join(' AND ');
  return isWhole(searched) ? terms : `{${searched.columns.map(({ name }) => name).join(' ')}} : (${terms})`;
}

function matches(searched: Searched, id: string): TextMatch {
  const match = new MatchWriter();
  find(match, searched.table, queryOf(searched), id);
  return match;
}

/** Rows times terms: with fewer, asking for each of them costs less than reading the whole lists of
 *  frequent words. */
const fewLookUps = 1000;

function rank(searched: Searched, id: string): TextMatch {
  const match = new MatchWriter();
  const { table, terms } = searched;
  const sum = (condition: (term: SearchTerm) => typeof find) =>
    match.sum(searched, (names, term) => {
      for (const [index, name] of names.entries()) {
        match.text(index === 0 ? '(' : ' OR ');
        condition(term)(match, ofColumn(table, name), phrase(term), id);
      }
      match.text(')');
    });
  // The list of the only term is no longer than that of the rows that match.
  if (terms.length === 1) {
    sum(() => find);
    return match;
  }
  const few = Math.ceil(fewLookUps / terms.length);
  match.text(`CASE WHEN (SELECT count(*) FROM (SELECT 1 FROM ${quote(table)} WHERE ${quote(table)} MATCH `);
  match.value(queryOf(searched));
  match.text(` LIMIT ${few})) < ${few} THEN `);
  // For each row, the lists of all words with this beginning would be merged.
  sum(({ isPrefix }) => (isPrefix ? find : has));
  match.text(' ELSE ');
  sum(() => find);
  match.text(' END');
  return match;
}

/** The setting has no more columns. */
const mostColumns = 32;

export const sqliteSearch: SearchDialect = {
  create: (index) => [
    ...partsOf(index).map(
      ({ table, columns }) =>
        `CREATE VIRTUAL TABLE ${quote(table)} USING fts5(${columns.map(({ name }) => name).join(', ')}, content='', contentless_delete=1, tokenize=${quote(tokenizer)})`,
    ),
    ...triggersOf(index),
  ],
  fill: (index, from, to) =>
    partsOf(index).map((part) => `INSERT OR REPLACE ${into(part)} ${entries(part, index)} WHERE r.id > ${from} AND r.id <= ${to}`),
  fillsAtOnce: 1,
  // Joins the parts that the batches have left: queries read fewer of them.
  finish: (index) => partsOf(index).map(({ table }) => `INSERT INTO ${quote(table)} (${quote(table)}) VALUES ('optimize')`),
  triggers: `SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger' AND name LIKE ${literal(`${searchPrefix}%`)}`,
  dropTrigger: (name) => [`DROP TRIGGER IF EXISTS ${quote(name)}`],
  drop: (table) =>
    [table, ...Array.from({ length: mostColumns }, (_, index) => ofColumn(table, `c${index}`))].map(
      (each) => `DROP TABLE IF EXISTS ${quote(each)}`,
    ),
  matches,
  rank,
};
