/** Full-text indexes of SQLite: FTS5 tables without the texts themselves. */
import { literal, quote } from '../quote.ts';
import type { TextMatch } from '../text-match.ts';
import { MatchWriter, ownName, searchPrefix, type TextSyntax, textOf, type WatchedTable, watchedTables } from './index-parts.ts';
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

function find(match: MatchWriter, table: string, query: string, id: string): void {
  match.text(`${id} IN (SELECT rowid FROM ${quote(table)} WHERE ${quote(table)} MATCH `);
  match.value(query);
  match.text(')');
}

function matches({ table, columns, terms }: Searched, id: string): TextMatch {
  const match = new MatchWriter();
  find(match, table, `{${columns.map(({ name }) => name).join(' ')}} : (${terms.map(phrase).join(' AND ')})`, id);
  return match;
}

/** FTS5 finds the rows of a term once, whatever the number of rows that match. */
function rank(searched: Searched, id: string): TextMatch {
  const match = new MatchWriter();
  match.sum(searched, (names, term) => {
    for (const [index, name] of names.entries()) {
      match.text(index === 0 ? '(' : ' OR ');
      find(match, ofColumn(searched.table, name), phrase(term), id);
    }
    match.text(')');
  });
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
