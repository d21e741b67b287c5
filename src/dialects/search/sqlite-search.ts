/** Full-text indexes of SQLite: FTS5 tables without the texts themselves. */
import { literal, quote } from '../quote.ts';
import type { TextMatch } from '../text-match.ts';
import { MatchWriter, ownName, searchPrefix, type TextSyntax, textOf, type WatchedTable, watchedTables } from './index-parts.ts';
import type { IndexDefinition, SearchDialect, Searched, SearchTerm } from './types.ts';

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

const entries = ({ rows, columns }: IndexDefinition): string =>
  `SELECT r.id, ${columns.map(({ texts }) => textOf(texts, 'r', syntax)).join(', ')} FROM ${quote(rows)} r`;

const into = ({ table, columns }: IndexDefinition): string => `INTO ${quote(table)} (rowid, ${columns.map(({ name }) => name).join(', ')})`;

function triggersOf(index: IndexDefinition): string[] {
  const remake = (ids: string) =>
    `DELETE FROM ${quote(index.table)} WHERE rowid IN (${ids}); INSERT ${into(index)} ${entries(index)} WHERE r.id IN (${ids});`;
  const own = ownName(index.table);
  return watchedTables(index).flatMap(({ table, kind, columns, ids }: WatchedTable, number) => {
    const trigger = (event: string, when: string, body: string) =>
      `CREATE TRIGGER ${quote(`${own}_${number}_${event.toLowerCase()}`)} AFTER ${event} ON ${quote(table)}${when} BEGIN ${body} END`;
    const differ = columns.map((column) => `OLD.${quote(column)} IS NOT NEW.${quote(column)}`).join(' OR ');
    return [
      trigger('INSERT', '', remake(ids('NEW'))),
      ...(columns.length === 0
        ? []
        : [trigger('UPDATE', ` WHEN ${differ}`, remake(kind === 'links' ? `${ids('OLD')} UNION ${ids('NEW')}` : ids('NEW')))]),
      trigger('DELETE', '', kind === 'rows' ? `DELETE FROM ${quote(index.table)} WHERE rowid = OLD.id;` : remake(ids('OLD'))),
    ];
  });
}

/** Nothing in a word needs more than quotes: the tokenizer takes everything else for a separator. */
const phrase = ({ words, isPrefix }: SearchTerm): string => `"${words.join(' ').replaceAll('"', ' ')}"${isPrefix ? ' *' : ''}`;

function matches({ table, columns, terms }: Searched, id: string): TextMatch {
  const match = new MatchWriter();
  some(
    match,
    table,
    columns.map(({ name }) => name),
    terms,
    id,
  );
  return match;
}

function some(match: MatchWriter, table: string, names: readonly string[], terms: readonly SearchTerm[], id: string): void {
  match.text(`${id} IN (SELECT rowid FROM ${quote(table)} WHERE ${quote(table)} MATCH `);
  match.value(`{${names.join(' ')}} : (${terms.map(phrase).join(' AND ')})`);
  match.text(')');
}

/** FTS5 finds the rows of a term once, whatever the number of rows that match. */
function rank(searched: Searched, id: string): TextMatch {
  const match = new MatchWriter();
  match.sum(searched, (names, term) => some(match, searched.table, names, [term], id));
  return match;
}

export const sqliteSearch: SearchDialect = {
  create: (index) => [
    `CREATE VIRTUAL TABLE ${quote(index.table)} USING fts5(${index.columns.map(({ name }) => name).join(', ')}, content='', contentless_delete=1, tokenize=${quote(tokenizer)})`,
    ...triggersOf(index),
  ],
  fill: (index, from, to) => `INSERT OR REPLACE ${into(index)} ${entries(index)} WHERE r.id > ${from} AND r.id <= ${to}`,
  // Joins the parts that the batches have left: queries read fewer of them.
  finish: ({ table }) => [`INSERT INTO ${quote(table)} (${quote(table)}) VALUES ('optimize')`],
  triggers: `SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger' AND name LIKE ${literal(`${searchPrefix}%`)}`,
  dropTrigger: (name) => [`DROP TRIGGER IF EXISTS ${quote(name)}`],
  drop: (table) => [`DROP TABLE IF EXISTS ${quote(table)}`],
  matches,
  rank,
};
