/** The names of tables, columns, indexes and constraints. They are Strapi 5's to the letter, shortening included: the database
 *  is shared with it, and its own migrations look these names up. */
import { createHash } from 'node:crypto';
import { snakeCase } from './snake-case.ts';

const maximumLength = 55;
const hashLength = 5;

/** A part of a name. A fixed one (`lnk`, `id`) is never cut. */
interface Token {
  readonly text: string;
  readonly fixed: boolean;
}

const part = (text: string): Token => ({ text, fixed: false });
const affix = (text: string): Token => ({ text, fixed: true });

const cut = (text: string, room: number): string =>
  text.length <= room
    ? text
    : text.slice(0, room - hashLength) + createHash('shake256', { outputLength: 3 }).update(text).digest('hex').slice(0, hashLength);

/** Joins the tokens with `_`; over 55 characters the room is shared out evenly among the tokens that may be cut, and what
 *  short ones leave goes to the longer ones, one character at a time from the left. */
function join(tokens: readonly Token[]): string {
  const whole = tokens.map((token) => token.text).join('_');
  if (whole.length <= maximumLength) return whole;

  const parts = tokens.filter((token) => !token.fixed);
  const fixedLength = tokens.reduce((sum, token) => sum + (token.fixed ? token.text.length : 0), tokens.length - 1);
  const available = maximumLength - fixedLength;
  const share = Math.floor(available / parts.length);
  const rooms = new Map(parts.map((token) => [token, Math.min(share, token.text.length)]));
  let rest = available - [...rooms.values()].reduce((sum, room) => sum + room, 0);
  let wanting = parts.filter((token) => token.text.length > share);
  while (rest > 0 && wanting.length > 0) {
    wanting = wanting.filter((token) => {
      if (rest === 0) return false;
      const room = (rooms.get(token) ?? 0) + 1;
      rooms.set(token, room);
      rest -= 1;
      return room < token.text.length;
    });
  }
  return tokens.map((token) => cut(token.text, rooms.get(token) ?? token.text.length)).join('_');
}

/** The table of a type or component. `collectionName` is taken as written, only shortened. */
export const tableName = (collectionName: string): string => join([part(collectionName)]);

/** The column of a scalar attribute; empty when the name has no letter or digit. */
export const columnName = (attribute: string): string => join([part(snakeCase(attribute))]);

/** `articles_category_lnk` */
export const linkTableName = (table: string, attribute: string): string =>
  join([part(snakeCase(table)), part(snakeCase(attribute)), affix('lnk')]);

/** `comments_attachments_mph` */
export const morphTableName = (table: string, attribute: string): string =>
  join([part(snakeCase(table)), part(snakeCase(attribute)), affix('mph')]);

/** `articles_cmps` */
export const componentsTableName = (collectionName: string): string => join([part(collectionName), affix('cmps')]);

/** `article_id`; of a type's singular name, or of an attribute. */
export const idColumnName = (name: string): string => join([part(snakeCase(name)), affix('id')]);
/** `inv_article_id`: the target's column where both sides of a link table would have the same name. */
export const inverseIdColumnName = (name: string): string => join([affix('inv'), part(snakeCase(name)), affix('id')]);
/** `article_ord` */
export const orderColumnName = (name: string): string => join([part(snakeCase(name)), affix('ord')]);
/** `inv_article_ord` */
export const inverseOrderColumnName = (name: string): string => join([affix('inv'), part(snakeCase(name)), affix('ord')]);
/** `attachments_type` */
export const typeColumnName = (name: string): string => join([part(snakeCase(name)), affix('type')]);

/** What Strapi's abbreviations stand for: index, foreign key, its inverse, order and inverse order, unique, order and id column. */
export type IndexSuffix = 'idx' | 'fk' | 'ifk' | 'ofk' | 'oifk' | 'uq' | 'oidx' | 'idix';

/** `articles_category_lnk_ofk`. The names given may have been shortened before; they are cut again as any other text. */
export const indexName = (names: readonly string[], suffix: IndexSuffix): string => join([...names.map(part), affix(suffix)]);

/** `abouts_entity_fk`: index and foreign key of a components table, named for the table of the owner. */
export const componentsOwnerName = (collectionName: string): string => join([part(collectionName), affix('entity'), affix('fk')]);

/** `lectern_articles_published`: an index of our own. */
export const ownIndexName = (table: string, purpose: string): string => join([affix('lectern'), part(table), affix(purpose)]);
