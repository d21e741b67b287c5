/** Reads the head (names, table, options) of every schema; attributes stay as written. Relations
 *  need the heads of all types before any attribute can be resolved. */

import { isObject, type JsonObject, objectAt, stringAt } from '../../text/json.ts';
import { nearest } from '../../text/nearest.ts';
import { kebabCase, normaliseName } from '../../text/snake-case.ts';
import { builtInTypes } from '../built-in-types.ts';
import type { SchemaPresentation, Uid } from '../content-model.ts';
import { tableName } from '../naming.ts';
import type { Key } from '../schema-file/key.ts';
import { readKeys, suggest } from '../schema-file/read-keys.ts';
import { componentKeys, contentTypeKeys, kinds } from '../schema-file/schema-keys.ts';
import { presentationOf } from './presentation.ts';
import { type SchemaFile, uidAt } from './read-schema-files.ts';
import type { SchemaProblems } from './schema-problems.ts';

export interface Draft {
  readonly uid: Uid;
  readonly kind: 'collectionType' | 'singleType' | 'component';
  readonly singularName: string;
  readonly pluralName: string;
  readonly displayName: string;
  readonly description: string | undefined;
  readonly lectern: SchemaPresentation | undefined;
  readonly collectionName: string;
  readonly table: string;
  readonly draftAndPublish: boolean;
  readonly localized: boolean;
  readonly populateCreatorFields: boolean;
  readonly privateAttributes: readonly string[];
  readonly attributes: JsonObject;
  /** Relative path of the schema file, or `built in`. */
  readonly source: string;
  readonly routed: boolean;
}

const kebab = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** The drafts of built-in types, with the project's extensions, then of its own types. */
export function draftSchemas(files: readonly SchemaFile[], problems: SchemaProblems): Draft[] {
  const extensions = new Map<Uid, SchemaFile>();
  for (const file of files) if (file.location.kind === 'extension') extensions.set(uidAt(file.location), file);
  const builtIn = builtInTypes.map(({ uid, schema }) => {
    const extension = extensions.get(uid);
    extensions.delete(uid);
    // Strapi replaces top-level keys: an extension's `attributes` must repeat the built-in ones.
    const extended = extension === undefined ? schema : { ...schema, ...extension.schema };
    const defaultTable = stringAt(schema, 'collectionName');
    return draftContentType(uid, { schema: extended, source: extension?.file ?? 'built in', defaultTable }, problems);
  });
  // Types of other plugins can be described in the folder of extensions, too.
  const ofPlugins = [...extensions].map(([uid, { file, schema }]) => {
    const defaultTable = uid.slice('plugin::'.length).replace('.', '_');
    return draftContentType(uid, { schema, source: file, defaultTable }, problems);
  });
  const own = files.map((file) => draftOwn(file, problems));
  return [...builtIn, ...ofPlugins, ...own].filter((draft) => draft !== undefined);
}

function draftOwn({ file, location, schema }: SchemaFile, problems: SchemaProblems): Draft | undefined {
  switch (location.kind) {
    case 'extension':
      return undefined;
    case 'component':
      return draftComponent(uidAt(location), { fileName: location.name, schema, source: file }, problems);
    case 'contentType': {
      const folder = normaliseName(location.folder);
      const singularName = stringAt(objectAt(schema, 'info'), 'singularName');
      if (singularName !== undefined && folder !== singularName) {
        problems.report(
          file,
          ['info', 'singularName'],
          `the folder is called ${JSON.stringify(location.folder)}, the type ${JSON.stringify(singularName)}`,
          `give both the same name: rename the folder to ${singularName}, or set info.singularName to ${JSON.stringify(folder)}`,
        );
      }
      return draftContentType(uidAt(location), { schema, source: file, defaultTable: undefined }, problems);
    }
    default:
      return location satisfies never;
  }
}

const readHead = <Keys extends Readonly<Record<string, Key>>>(keys: Keys, schema: JsonObject, source: string, problems: SchemaProblems) =>
  readKeys({ keys, open: false }, schema, (path, problem, remedy) => problems.warn(source, path, problem, remedy));

/** A misspelt key is reported as such. */
const misspells = (object: unknown, name: string): boolean =>
  isObject(object) && Object.keys(object).some((key) => nearest(key, [name]) !== undefined);

function draftContentType(
  uid: Uid,
  { schema, source, defaultTable }: { readonly schema: JsonObject; readonly source: string; readonly defaultTable: string | undefined },
  problems: SchemaProblems,
): Draft | undefined {
  const values = readHead(contentTypeKeys, schema, source, problems);
  const singularName = name(values.info, 'singularName', source, problems);
  const pluralName = name(values.info, 'pluralName', source, problems);
  if (nonEmpty(values.info.displayName) === undefined && !misspells(schema.info, 'displayName'))
    problems.warn(
      source,
      ['info'],
      'displayName is missing, and Strapi does not start without it',
      'add a name for people, such as "Article"',
    );
  const kind = kindOf(schema, source, problems);
  const attributes = attributesOf(schema, source, problems);
  if (singularName === undefined || pluralName === undefined || kind === undefined || attributes === undefined) return undefined;
  const collectionName = nonEmpty(values.collectionName) ?? defaultTable ?? singularName;
  return {
    uid,
    kind,
    singularName,
    pluralName,
    displayName: nonEmpty(values.info.displayName) ?? singularName,
    description: nonEmpty(values.info.description),
    lectern: presentationOf(values, attributes, source, problems),
    collectionName,
    table: tableName(collectionName),
    // As in Strapi 5, a schema file without this option turns it off.
    draftAndPublish: values.options.draftAndPublish,
    localized: values.pluginOptions.i18n.localized,
    populateCreatorFields: values.options.populateCreatorFields,
    privateAttributes: values.options.privateAttributes ?? [],
    attributes,
    source,
    routed: uid.startsWith('api::'),
  };
}

function draftComponent(
  uid: Uid,
  { fileName, schema, source }: { readonly fileName: string; readonly schema: JsonObject; readonly source: string },
  problems: SchemaProblems,
): Draft | undefined {
  const values = readHead(componentKeys, schema, source, problems);
  const collectionName = nonEmpty(values.collectionName);
  if (collectionName === undefined) {
    problems.report(
      source,
      ['collectionName'],
      'a component has to name its table',
      `add "collectionName": "components_${uid.replace(/[.-]/g, '_')}s"`,
    );
  }
  const attributes = attributesOf(schema, source, problems);
  if (collectionName === undefined || attributes === undefined) return undefined;
  return {
    uid,
    kind: 'component',
    singularName: fileName,
    pluralName: fileName,
    displayName: nonEmpty(values.info.displayName) ?? fileName,
    description: nonEmpty(values.info.description),
    lectern: presentationOf(values, attributes, source, problems),
    collectionName,
    table: tableName(collectionName),
    draftAndPublish: false,
    localized: false,
    populateCreatorFields: false,
    privateAttributes: values.options.privateAttributes ?? [],
    attributes,
    source,
    routed: false,
  };
}

export const nonEmpty = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

type Names = Readonly<Record<'singularName' | 'pluralName', string | undefined>>;

function name(info: Names, key: keyof Names, source: string, problems: SchemaProblems): string | undefined {
  const value = nonEmpty(info[key]);
  if (value === undefined) {
    const example = key === 'singularName' ? 'article' : 'articles';
    problems.report(source, ['info', key], `info.${key} is missing`, `add it, such as "${key}": "${example}"`);
  } else if (!kebab.test(value)) {
    problems.report(
      source,
      ['info', key],
      `${JSON.stringify(value)} is not in kebab-case`,
      `lower-case letters and digits joined by "-": ${JSON.stringify(kebabCase(value))}`,
    );
  }
  return value;
}

function kindOf(schema: JsonObject, source: string, problems: SchemaProblems): 'collectionType' | 'singleType' | undefined {
  const value = schema.kind ?? 'collectionType';
  const kind = kinds.find((each) => each === value);
  if (kind === undefined) {
    // Strapi treats every kind but `singleType` as a collection type.
    const served = problems.question(
      source,
      ['kind'],
      `unknown kind ${JSON.stringify(value)}`,
      suggest(value, kinds, 'either "collectionType" or "singleType"'),
    );
    if (served) return 'collectionType';
  }
  return kind;
}

function attributesOf(schema: JsonObject, source: string, problems: SchemaProblems): JsonObject | undefined {
  if (isObject(schema.attributes)) return schema.attributes;
  problems.report(source, ['attributes'], 'there is no object of attributes', 'add "attributes": { … }; it may be empty');
  return undefined;
}
