/** The names of tables, columns, indexes and constraints. They are exactly those of Strapi 5, even
 *  when shortened: both use the same database, and Strapi's migrations look for these names. */
import { createHash } from 'node:crypto';
import { snakeCase } from '../text/snake-case.ts';

const maximumLength = 55;
const hashLength = 5;

/** Joins a prefix, the parts and a suffix with `_`; an empty prefix or suffix is omitted. */
function join(prefix: string, parts: readonly string[], suffix: string): string {
  const before = prefix === '' ? '' : `${prefix}_`;
  const after = suffix === '' ? '' : `_${suffix}`;
  const full = before + parts.join('_') + after;
  return full.length <= maximumLength ? full : before + shorten(parts, maximumLength - before.length - after.length) + after;
}

/** Shortens parts so that they fit into `length` characters when joined by `_`: each gets an equal
 *  share, and characters that short parts leave go to longer ones, one at a time from the left.
 *  Prefixes and suffixes are never cut. */
function shorten(parts: readonly string[], length: number): string {
  const available = length - (parts.length - 1);
  const share = Math.floor(available / parts.length);
  const rooms = parts.map((part) => Math.min(share, part.length));
  let rest = available - rooms.reduce((sum, room) => sum + room, 0);
  let wanting = parts.flatMap((part, index) => (part.length > share ? [index] : []));
  while (rest > 0 && wanting.length > 0) {
    wanting = wanting.filter((index) => {
      if (rest === 0) return false;
      rest -= 1;
      const room = (rooms[index] ?? 0) + 1;
      rooms[index] = room;
      return room < (parts[index]?.length ?? 0);
    });
  }
  return parts.map((part, index) => cut(part, rooms[index] ?? part.length)).join('_');
}

/** Shortens a text to its beginning and the beginning of its SHAKE256 hash. */
const cut = (text: string, room: number): string =>
  text.length <= room
    ? text
    : text.slice(0, room - hashLength) + createHash('shake256', { outputLength: 3 }).update(text).digest('hex').slice(0, hashLength);

/** The table of a type or component. `collectionName` is taken as written, only shortened. */
export const tableName = (collectionName: string): string => join('', [collectionName], '');

/** The column of a scalar attribute; empty when the name has no letter or digit. */
export const columnName = (attribute: string): string => join('', [snakeCase(attribute)], '');

/** `articles_category_lnk` */
export const linkTableName = (table: string, attribute: string): string => join('', [snakeCase(table), snakeCase(attribute)], 'lnk');

/** `comments_attachments_mph` */
export const morphTableName = (table: string, attribute: string): string => join('', [snakeCase(table), snakeCase(attribute)], 'mph');

/** `articles_cmps` */
export const componentsTableName = (collectionName: string): string => join('', [collectionName], 'cmps');

/** `article_id`, from a type's singular name or from an attribute. */
export const idColumnName = (name: string): string => join('', [snakeCase(name)], 'id');
/** `inv_article_id`: the target's column where both sides would have the same name. */
export const inverseIdColumnName = (name: string): string => join('inv', [snakeCase(name)], 'id');
/** `article_ord` */
export const orderColumnName = (name: string): string => join('', [snakeCase(name)], 'ord');
/** `inv_article_ord` */
export const inverseOrderColumnName = (name: string): string => join('inv', [snakeCase(name)], 'ord');
/** `attachments_type` */
export const typeColumnName = (name: string): string => join('', [snakeCase(name)], 'type');

/** Strapi's abbreviations for the purposes of indexes and foreign keys. */
export type IndexSuffix = 'idx' | 'fk' | 'ifk' | 'ofk' | 'oifk' | 'uq' | 'oidx' | 'idix';

/** `articles_category_lnk_ofk`. A name that is shortened already is text like any other. */
export const indexName = (names: readonly string[], suffix: IndexSuffix): string => join('', names, suffix);

/** `abouts_entity_fk`: of a components table, named for the table of the owner. */
export const componentsOwnerName = (collectionName: string): string => join('', [collectionName], 'entity_fk');

/** `lectern_articles_published`: an index that Lectern adds. */
export const ownIndexName = (table: string, purpose: string): string => join('lectern', [table], purpose);
/** `lectern_articles_slug_unique`: an index for looking up a value that must be unique. */
export const uniqueIndexName = (table: string, column: string): string => join('lectern', [table, column], 'unique');
/** `lectern_articles_created_at_published`: an index for lists by a column. */
export const sortedIndexName = (table: string, column: string, rows: 'published' | 'drafts' | 'sorted' | 'searched' | 'texts'): string =>
  join('lectern', [table, column], rows);
/** `lectern_articles_locale_title_3f9a2c`: an index for a read that callers asked for. */
export const recordedIndexName = (table: string, columns: readonly string[], digest: string): string =>
  join('lectern', [table, ...columns], digest);
