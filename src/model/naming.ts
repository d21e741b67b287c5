/** The names of tables, columns, indexes and constraints. They are Strapi 5's to the letter, shortening included: the database
 *  is shared with it, and its own migrations look these names up. */
import { createHash } from 'node:crypto';
import { snakeCase } from '../text/snake-case.ts';

const maximumLength = 55;
const hashLength = 5;

/** Joins an affix before, the parts, and one after with `_`; an empty affix is left out. */
function join(prefix: string, parts: readonly string[], suffix: string): string {
  const before = prefix === '' ? '' : `${prefix}_`;
  const after = suffix === '' ? '' : `_${suffix}`;
  const whole = before + parts.join('_') + after;
  return whole.length <= maximumLength ? whole : before + shorten(parts, maximumLength - before.length - after.length) + after;
}

/** Fits parts joined by `_` into `length` characters: the room is shared out evenly, and what short parts leave goes to the longer
 *  ones, one character at a time from the left. Affixes are never cut. */
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

/** The beginning of the text and of its SHAKE256 hash. */
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

/** `article_id`; of a type's singular name, or of an attribute. */
export const idColumnName = (name: string): string => join('', [snakeCase(name)], 'id');
/** `inv_article_id`: the target's column where both sides of a link table would have the same name. */
export const inverseIdColumnName = (name: string): string => join('inv', [snakeCase(name)], 'id');
/** `article_ord` */
export const orderColumnName = (name: string): string => join('', [snakeCase(name)], 'ord');
/** `inv_article_ord` */
export const inverseOrderColumnName = (name: string): string => join('inv', [snakeCase(name)], 'ord');
/** `attachments_type` */
export const typeColumnName = (name: string): string => join('', [snakeCase(name)], 'type');

/** What Strapi's abbreviations stand for: index, foreign key, its inverse, order and inverse order, unique, order and id column. */
export type IndexSuffix = 'idx' | 'fk' | 'ifk' | 'ofk' | 'oifk' | 'uq' | 'oidx' | 'idix';

/** `articles_category_lnk_ofk`. The names given may have been shortened before; they are cut again as any other text. */
export const indexName = (names: readonly string[], suffix: IndexSuffix): string => join('', names, suffix);

/** `abouts_entity_fk`: index and foreign key of a components table, named for the table of the owner. */
export const componentsOwnerName = (collectionName: string): string => join('', [collectionName], 'entity_fk');

/** `lectern_articles_published`: an index of our own. */
export const ownIndexName = (table: string, purpose: string): string => join('lectern', [table], purpose);
/** `lectern_articles_slug_unique`: where a value that must be unique is looked for. */
export const uniqueIndexName = (table: string, column: string): string => join('lectern', [table, column], 'unique');
