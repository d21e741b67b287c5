/** Checks that names are unique: uids, names and URL paths of types, tables, columns. */

import { snakeCase } from '../../text/snake-case.ts';
import type { Attribute, Schema } from '../content-model.ts';
import type { Path } from '../schema-file/read-keys.ts';
import type { SchemaProblems } from './schema-problems.ts';
import type { Draft } from './unresolved-model.ts';

/** First segments of paths below `/api` that the server's own endpoints use. */
const takenRoutes: Readonly<Record<string, string>> = {
  auth: 'signing in',
  upload: 'files',
  users: 'users (a project type for people needs another name, or extends the built-in one)',
  'users-permissions': 'roles',
  i18n: 'locales',
};

const routeOf = (draft: Draft): string => (draft.kind === 'singleType' ? draft.singularName : draft.pluralName);

/** Reports types that share a uid, a name or a URL path. */
export function checkTypes(drafts: readonly Draft[], problems: SchemaProblems): void {
  const byUid = new Map<string, Draft>();
  const byName = new Map<string, Draft>();
  for (const draft of drafts) {
    const twin = byUid.get(draft.uid);
    if (twin !== undefined)
      problems.report(draft.source, [], `${draft.uid} is there twice, also in ${twin.source}`, 'rename one of the two');
    byUid.set(draft.uid, draft);
    // Two types with one uid have been reported; comparing their names would only repeat it.
    if (!draft.routed || twin !== undefined) continue;
    // Strapi has one list of singular and plural names: a permission or a URL may use either.
    const repeated = draft.singularName === draft.pluralName;
    if (repeated) {
      problems.report(
        draft.source,
        ['info', 'pluralName'],
        `singularName and pluralName are both ${JSON.stringify(draft.singularName)}`,
        'give the plural another name, such as one ending in "-list"',
      );
    }
    const names = repeated ? (['singularName'] as const) : (['singularName', 'pluralName'] as const);
    for (const key of names) {
      const other = byName.get(draft[key]);
      if (other !== undefined) {
        problems.report(
          draft.source,
          ['info', key],
          `the name ${JSON.stringify(draft[key])} belongs to ${other.uid} already (${other.source})`,
          'every singularName and pluralName may be used once',
        );
      } else byName.set(draft[key], draft);
    }
    const route = routeOf(draft);
    const taken = Object.hasOwn(takenRoutes, route) ? takenRoutes[route] : undefined;
    const key = draft.kind === 'singleType' ? 'singularName' : 'pluralName';
    if (taken !== undefined) {
      // As in Strapi, the type's endpoint wins wherever both have the same method and path.
      problems.question(draft.source, ['info', key], `/api/${route} is the server's own path for ${taken}`, `choose another info.${key}`);
    }
  }
}

/** Names that have another meaning where rows of several types are mixed. */
const reserved = new Set(['__component', '__type', '__contentType']);
/** Columns that identify a row. Strapi refuses attributes that would be stored in them. */
const identity = new Set(['id', 'document_id']);

/** Reports attributes that share a column, and reserved names. `system` are the attributes that the
 *  server adds. Returns the attributes that are served. */
export function checkColumns(draft: Draft, system: readonly Attribute[], own: readonly Attribute[], problems: SchemaProblems): Attribute[] {
  const byColumn = new Map<string, string>();
  for (const attribute of system) for (const column of columnsOf(attribute)) byColumn.set(column, attribute.name);
  const systemNames = new Set(system.map((attribute) => attribute.name));
  return own.filter((attribute) => {
    const path = ['attributes', attribute.name];
    const problem = `the name ${JSON.stringify(attribute.name)} is reserved`;
    if (reserved.has(attribute.name)) return problems.question(draft.source, path, problem, 'rename the attribute');
    if (systemNames.has(attribute.name)) {
      const remedy = 'remove the attribute: the server adds it; or rename it';
      // Strapi replaces an attribute of this name with its own.
      if (identity.has(snakeCase(attribute.name))) problems.report(draft.source, path, problem, remedy);
      else problems.question(draft.source, path, `${problem}: the server's own attribute replaces it`, remedy);
      return false;
    }
    for (const column of columnsOf(attribute)) {
      const other = byColumn.get(column);
      if (other !== undefined) {
        problems.report(
          draft.source,
          path,
          `would be stored in the column ${column} of ${draft.table}, which is that of ${JSON.stringify(other)}`,
          'rename one of the two attributes',
        );
      }
      byColumn.set(column, attribute.name);
    }
    return true;
  });
}

function columnsOf(attribute: Attribute): readonly string[] {
  if (attribute.kind === 'scalar') return [attribute.column];
  if (attribute.kind !== 'relation') return [];
  const { storage } = attribute;
  if (storage.kind === 'ownColumn') return [storage.column];
  return storage.kind === 'morphColumns' ? [storage.idColumn, storage.typeColumn] : [];
}

/** Reports a table that two types, components or relations would share. */
export function checkTables(schemas: Iterable<Schema>, problems: SchemaProblems): void {
  const owners = new Map<string, { readonly what: string; readonly source: string }>();
  const claim = (table: string, what: string, source: string, path: Path): void => {
    // SQLite and MySQL ignore letter case in names of tables.
    const key = table.toLowerCase();
    const other = owners.get(key);
    if (other === undefined) owners.set(key, { what, source });
    else {
      problems.report(
        source,
        path,
        `the table ${table} of ${what} is that of ${other.what} already (${other.source})`,
        path[0] === 'collectionName' ? 'choose another collectionName' : 'rename the attribute, or choose another collectionName',
      );
    }
  };
  const all = [...schemas];
  // Types come first: if a type and a relation claim one table, the relation is the one to rename.
  for (const schema of all) claim(schema.table, schema.uid, schema.source, ['collectionName']);
  for (const schema of all) {
    if (schema.componentsTable !== undefined) {
      claim(schema.componentsTable.table, `the components of ${schema.uid}`, schema.source, ['collectionName']);
    }
    for (const attribute of schema.attributes.values()) {
      if (attribute.kind !== 'relation') continue;
      const { storage } = attribute;
      if (storage.kind === 'morphLink' || (storage.kind === 'linkTable' && storage.owner)) {
        claim(storage.table, `${schema.uid}.${attribute.name}`, schema.source, ['attributes', attribute.name]);
      }
    }
  }
}
