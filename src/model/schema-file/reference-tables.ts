/** The tables of `docs/content-types.md`. */
import { postgres } from '../../dialects/postgres.ts';
import { sqlite } from '../../dialects/sqlite.ts';
import { isScalarType } from '../scalar-types.ts';
import { attributeDefinitions } from './attribute-keys.ts';
import type { Key } from './key.ts';
import { componentKeys, contentTypeKeys } from './schema-keys.ts';

type Keys = Readonly<Record<string, Key>>;

/** Markdown tables by name. */
export const referenceTables: Readonly<Record<string, () => string>> = {
  'keys of content types': () => keyTable(contentTypeKeys),
  'keys of components': () => keyTable(componentKeys),
  'types of attributes': () =>
    table(
      ['Type', 'Holds', 'In JSON', 'Column in SQLite', 'Column in PostgreSQL'],
      Object.entries(attributeDefinitions).map(([type, { description, inJson }]) => [
        code(type),
        description,
        inJson,
        ...(isScalarType(type) ? [code(sqlite.tables.columnDefinition(type)), code(postgres.tables.columnDefinition(type))] : ['', '']),
      ]),
    ),
  'keys of every attribute': () => keyTable(commonKeys()),
  'keys of some attributes': typeKeyTable,
  'keys without effect': () =>
    table(
      ['In', 'Keys'],
      [
        ['content types', listed(strapiKeys(contentTypeKeys))],
        ['components', listed(strapiKeys(componentKeys))],
        ['every attribute', listed(strapiKeys(commonKeys()))],
        ...Object.entries(attributeDefinitions).flatMap(([type, { keys }]) => {
          const own = strapiKeys(ownKeys(keys));
          return own.length === 0 ? [] : [[`\`${type}\``, listed(own)]];
        }),
      ],
    ),
};

const code = (text: string) => `\`${text}\``;
const listed = (names: readonly string[]) => names.map(code).join(', ');

const row = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

const keyTable = (keys: Keys) => table(['Key', 'Value', 'Default', 'Meaning'], keyRows(keys, ''));

const keyRows = (keys: Keys, prefix: string): readonly (readonly string[])[] =>
  Object.entries(keys).flatMap(([name, key]) => {
    if (key.strapiOnly) return [];
    const path = `${prefix}${name}`;
    return key.inner === undefined || key.isOneRow ? [[code(path), ...cellsOf(key)]] : keyRows(key.inner.keys, `${path}.`);
  });

const cellsOf = ({ shape, fallbackText, description }: Key): readonly string[] => [shape, fallbackText, description];

/** The keys that every type of attribute has in the same form. */
function commonKeys(): Keys {
  const [first, ...others] = Object.values(attributeDefinitions).map(({ keys }) => keys);
  return Object.fromEntries(Object.entries(first ?? {}).filter(([name, key]) => others.every((keys) => keys[name] === key)));
}

const ownKeys = (keys: Keys): Keys => {
  const common = commonKeys();
  return Object.fromEntries(Object.entries(keys).filter(([name]) => common[name] === undefined));
};

/** One row for the types that have a key in the same form. */
function typeKeyTable(): string {
  const rows = new Map<string, { readonly types: string[]; readonly name: string; readonly key: Key }>();
  for (const [type, { keys }] of Object.entries(attributeDefinitions)) {
    for (const [name, key] of Object.entries(ownKeys(keys))) {
      if (key.strapiOnly) continue;
      const id = [name, ...cellsOf(key)].join('\n');
      const known = rows.get(id);
      if (known === undefined) rows.set(id, { types: [type], name, key });
      else known.types.push(type);
    }
  }
  const names = [...new Set([...rows.values()].map(({ name }) => name))];
  const scalarCount = Object.keys(attributeDefinitions).filter(isScalarType).length;
  const typesIn = (types: readonly string[]) =>
    types.filter(isScalarType).length === scalarCount ? 'every type with a column, `customField`' : listed(types);
  return table(
    ['Key', 'Types', 'Value', 'Default', 'Meaning'],
    names.flatMap((name) =>
      [...rows.values()].filter((each) => each.name === name).map(({ types, key }) => [code(name), typesIn(types), ...cellsOf(key)]),
    ),
  );
}

const strapiKeys = (keys: Keys, prefix = ''): readonly string[] =>
  Object.entries(keys).flatMap(([name, { strapiOnly, inner }]) => {
    if (strapiOnly) return [`${prefix}${name}`];
    return inner === undefined ? [] : strapiKeys(inner.keys, `${prefix}${name}.`);
  });
