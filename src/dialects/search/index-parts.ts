/** What the statements of full-text indexes have in common: the text of a row, and the triggers
 *  that are needed to keep it. */
import { createHash } from 'node:crypto';
import { componentsColumns } from '../../model/content-model.ts';
import { literal, quote } from '../quote.ts';
import type { TextMatch } from '../text-match.ts';
import type { ComponentLink, IndexDefinition, Searched, SearchTerm, TextSource } from './types.ts';

/** The beginning of the names of everything that belongs to a full-text index. */
export const searchPrefix = 'lectern_search_';

/** `lectern_search_3f9a2c1d`: the beginning of the names of an index's triggers and functions. */
export const ownName = (table: string): string => `${searchPrefix}${createHash('sha256').update(table).digest('hex').slice(0, 8)}`;

const { owner, component, type, field } = componentsColumns;

/** How an engine writes the parts of a text. */
export interface TextSyntax {
  /** The text that a column has. */
  text(column: string, holds: 'text' | 'blocks'): string;
  /** The texts of several rows, of an expression that is one row's text. */
  aggregate(text: string): string;
  /** Written at the end of a SELECT of components. */
  readonly lock: string;
}

/** Returns the text of `row`, an alias of the content table. */
export const textOf = (texts: readonly TextSource[], row: string, syntax: TextSyntax): string => new TextWriter(syntax).joined(texts, row);

class TextWriter {
  readonly #syntax: TextSyntax;
  #aliases = 0;

  constructor(syntax: TextSyntax) {
    this.#syntax = syntax;
  }

  joined(texts: readonly TextSource[], row: string): string {
    const parts = texts.map((source) =>
      source.kind === 'column' ? this.#syntax.text(`${row}.${quote(source.column)}`, source.holds) : this.#ofComponents(source, row),
    );
    return parts.length === 1 ? (parts[0] ?? '') : `concat_ws(' ', ${parts.join(', ')})`;
  }

  #ofComponents({ link, table, texts }: Extract<TextSource, { kind: 'components' }>, row: string): string {
    this.#aliases++;
    const [l, c] = [`l${this.#aliases}`, `c${this.#aliases}`];
    const all = this.#syntax.aggregate(this.joined(texts, c));
    return `(SELECT ${all} FROM ${quote(link.table)} ${l} JOIN ${quote(table)} ${c} ON ${c}.id = ${l}.${component} WHERE ${l}.${owner} = ${row}.id AND ${ofLink(link, l)}${this.#syntax.lock})`;
  }
}

const ofLink = (link: ComponentLink, row: string): string =>
  `${row}.${field} = ${literal(link.field)} AND ${row}.${type} = ${literal(link.component)}`;

/** A table whose changes change entries of an index. */
export interface WatchedTable {
  readonly table: string;
  readonly kind: 'rows' | 'components' | 'links';
  /** The columns that matter. */
  readonly columns: readonly string[];
  /** Selects the ids of the rows of the content table whose entries depend on a row: `NEW` or
   *  `OLD`. */
  ids(row: 'NEW' | 'OLD'): string;
}

type Path = readonly ComponentLink[];

/** `from`: what a SELECT without a table needs. */
export function watchedTables({ rows, columns }: IndexDefinition, from = ''): WatchedTable[] {
  const own = new Set<string>();
  const components = new Map<string, { readonly columns: Set<string>; readonly paths: Path[] }>();
  const links = new Map<string, Path[]>();
  const visit = (texts: readonly TextSource[], path: Path, of: Set<string>): void => {
    for (const source of texts) {
      if (source.kind === 'column') {
        of.add(source.column);
        continue;
      }
      const { link, table } = source;
      const further = [...path, link];
      links.set(link.table, [...(links.get(link.table) ?? []), further]);
      const known = components.get(table) ?? { columns: new Set<string>(), paths: [] };
      components.set(table, known);
      known.paths.push(further);
      visit(source.texts, further, known.columns);
    }
  };
  for (const { texts } of columns) visit(texts, [], own);
  const union = (selects: readonly string[]) => [...new Set(selects)].join(' UNION ');
  return [
    { table: rows, kind: 'rows', columns: [...own], ids: (row) => `SELECT ${row}.id${from}` },
    ...[...components].map(
      ([table, { columns: its, paths }]): WatchedTable => ({
        table,
        kind: 'components',
        columns: [...its],
        ids: (row) => union(paths.map((path) => ownersOf(path, `${row}.id`))),
      }),
    ),
    ...[...links].map(
      ([table, paths]): WatchedTable => ({
        table,
        kind: 'links',
        columns: [owner, component, type, field],
        ids: (row) =>
          union(
            paths.map((path) => {
              const link = path.at(-1) as ComponentLink;
              const before = path.slice(0, -1);
              return before.length === 0
                ? `SELECT ${row}.${owner}${from} WHERE ${ofLink(link, row)}`
                : `${ownersOf(before, `${row}.${owner}`)} AND ${ofLink(link, row)}`;
            }),
          ),
      }),
    ),
  ];
}

/** Selects the ids of the rows that have the component with the id at the end of the path. */
function ownersOf(path: Path, id: string): string {
  const last = path.length - 1;
  const joins = path.map((link, index) => ({ link, alias: `o${index}` })).reverse();
  const from = joins.map(({ link, alias }, index) =>
    index === 0
      ? `${quote(link.table)} ${alias}`
      : `JOIN ${quote(link.table)} ${alias} ON ${alias}.${component} = o${last - index + 1}.${owner} AND ${ofLink(link, alias)}`,
  );
  return `SELECT o0.${owner} FROM ${from.join(' ')} WHERE o${last}.${component} = ${id} AND ${ofLink(path[last] as ComponentLink, `o${last}`)}`;
}

/** Indexes that lead from components to their owners, which Strapi does not need. */
export const ownerIndexes = (
  index: IndexDefinition,
): readonly { readonly name: string; readonly table: string; readonly columns: readonly string[] }[] =>
  watchedTables(index)
    .filter(({ kind }) => kind === 'links')
    .map(({ table }) => ({ name: ownName(table), table, columns: [component, type] }));

/** The columns of a search that have the same weight, by falling weight. */
function byWeight({ columns }: Searched): readonly { readonly weight: number; readonly names: readonly string[] }[] {
  const groups = new Map<number, string[]>();
  for (const { name, weight } of columns) groups.set(weight, [...(groups.get(weight) ?? []), name]);
  return [...groups].map(([weight, names]) => ({ weight, names }));
}

/** Whether a search may use all columns of the index. */
export const isWhole = ({ columns, all }: Searched): boolean => columns.length === all.length;

/** The rank of a row that matches, for engines whose index table has a column for each attribute.
 *  `has`: writes the condition that one of the columns has the term. */
export function rankOfRow(searched: Searched, id: string, has: HasTerm): TextMatch {
  const match = new MatchWriter();
  match.text('(SELECT ');
  match.sum(searched, (names, term) => has(match, names, term));
  match.text(` FROM ${quote(searched.table)} s WHERE s.id = ${id})`);
  return match;
}

type HasTerm = (match: MatchWriter, names: readonly string[], term: SearchTerm) => void;

/** SQL with values between its parts, which is written from its beginning to its end. */
export class MatchWriter {
  readonly sql = [''];
  readonly values: string[] = [];

  text(text: string): void {
    this.sql.push(`${this.sql.pop() ?? ''}${text}`);
  }

  value(value: string): void {
    this.values.push(value);
    this.sql.push('');
  }

  /** Writes the sum, over the terms, of the greatest weight of a column that has the term. The row
   *  matches, so a term that no other column has is in one of those with the least weight. */
  sum(searched: Searched, condition: (names: readonly string[], term: SearchTerm) => void): void {
    const groups = byWeight(searched);
    const least = groups.at(-1)?.weight ?? 0;
    for (const [index, term] of searched.terms.entries()) {
      this.text(index === 0 ? '(' : ' + ');
      if (groups.length > 1) this.text('CASE');
      for (const { weight, names } of groups.slice(0, -1)) {
        this.text(' WHEN ');
        condition(names, term);
        this.text(` THEN ${weight}`);
      }
      this.text(groups.length > 1 ? ` ELSE ${least} END` : String(least));
    }
    this.text(')');
  }
}
