/** Schema files of a project → ContentModel. */

import { isObject } from '../../text/json.ts';
import type { Attribute, Component, ComponentsTable, ContentModel, ContentType, ModelError, Schema, Uid } from '../content-model.ts';
import { componentsTableName } from '../naming.ts';
import { leadingAttributes, trailingAttributes } from '../system-attributes.ts';
import { checkColumns, checkTables, checkTypes } from './check-names.ts';
import { wireRelations } from './connect-relations.ts';
import { type ColumnTypes, CustomFields } from './custom-fields.ts';
import { readProject } from './read-schema-files.ts';
import type { Resolution } from './resolution.ts';
import { resolveAttribute } from './resolve-attribute.ts';
import { SchemaProblems } from './schema-problems.ts';
import { type Draft, draftSchemas } from './unresolved-model.ts';

export interface LoadOptions {
  /** Base types of custom fields that are not in the built-in list, by uid. */
  readonly customFields: Readonly<Record<string, string>>;
  /** Serves every project that Strapi starts with; its mistakes are the model's warnings. */
  readonly asStrapi: boolean;
  /** Names of attributes that no type and no component shows. */
  readonly privateAttributes?: readonly string[];
  /** Types of live columns, for custom fields without another source; only in profile `strapi`. */
  readonly columns?: ColumnTypes;
}

export type LoadResult =
  | { readonly ok: true; readonly model: ContentModel }
  | {
      readonly ok: false;
      readonly errors: readonly ModelError[];
      /** Mistakes that would not prevent a start. */
      readonly warnings: readonly ModelError[];
      /** Some errors may disappear with `columns`. */
      readonly needsColumns: boolean;
    };

/** Loads the content types and components of the project in `dir`, and Strapi's built-in types.
 *  Reports all mistakes, not only the first. The model is deeply frozen. */
export function loadModel(dir: string, options: LoadOptions): LoadResult {
  const problems = new SchemaProblems(dir, options.asStrapi);
  const files = readProject(dir, problems);
  const { privateAttributes = [] } = options;
  const list = draftSchemas(files, problems).map((draft) => ({
    ...draft,
    privateAttributes: [...draft.privateAttributes, ...privateAttributes],
  }));
  checkTypes(list, problems);
  const drafts = new Map(list.map((draft) => [draft.uid, draft]));
  const wires = wireRelations(list, drafts);
  const customFields = new CustomFields(dir, options.customFields, options.columns);
  const resolution: Resolution = { drafts, wires, customFields, problems, asStrapi: options.asStrapi };

  const contentTypes: [Uid, ContentType][] = [];
  const components: [Uid, Component][] = [];
  for (const draft of drafts.values()) {
    const attributes = attributesOf(draft, resolution);
    if (draft.kind === 'component') components.push([draft.uid, component(draft, attributes)]);
    else contentTypes.push([draft.uid, contentType(draft, draft.kind, attributes)]);
  }
  checkTables(
    [...contentTypes, ...components].map(([, schema]): Schema => schema),
    problems,
  );
  customFields.report(problems);
  if (problems.errors.length > 0) {
    return { ok: false, errors: problems.errors, warnings: problems.warnings, needsColumns: options.asStrapi && customFields.needsColumns };
  }
  return {
    ok: true,
    model: Object.freeze({
      contentTypes: immutableMap(contentTypes),
      components: immutableMap(components),
      warnings: Object.freeze([...problems.warnings]),
    }),
  };
}

function attributesOf(draft: Draft, resolution: Resolution): ReadonlyMap<string, Attribute> {
  const own: Attribute[] = [];
  for (const [name, written] of Object.entries(draft.attributes)) {
    const attribute = resolveAttribute(draft, name, written, resolution);
    if (attribute !== undefined) own.push(attribute);
  }
  const leading = leadingAttributes(draft);
  const trailing = trailingAttributes(draft);
  const served = checkColumns(draft, [...leading, ...trailing], own, resolution.problems);
  return immutableMap([...leading, ...served, ...trailing].map((attribute) => [attribute.name, deepFreeze(attribute)] as const));
}

const componentsTableOf = (draft: Draft, attributes: ReadonlyMap<string, Attribute>): ComponentsTable | undefined => {
  for (const { kind } of attributes.values()) {
    if (kind === 'component' || kind === 'dynamiczone') return Object.freeze({ table: componentsTableName(draft.collectionName) });
  }
  return undefined;
};

/** What components and content types have in common. */
const schema = (draft: Draft, attributes: ReadonlyMap<string, Attribute>) => ({
  uid: draft.uid,
  displayName: draft.displayName,
  description: draft.description,
  lectern: deepFreeze(draft.lectern),
  table: draft.table,
  componentsTable: componentsTableOf(draft, attributes),
  attributes,
  source: draft.source,
});

const component = (draft: Draft, attributes: ReadonlyMap<string, Attribute>): Component =>
  Object.freeze({ kind: 'component', ...schema(draft, attributes) });

const contentType = (draft: Draft, kind: ContentType['kind'], attributes: ReadonlyMap<string, Attribute>): ContentType =>
  Object.freeze({
    kind,
    ...schema(draft, attributes),
    singularName: draft.singularName,
    pluralName: draft.pluralName,
    draftAndPublish: draft.draftAndPublish,
    localized: draft.localized,
    populateCreatorFields: draft.populateCreatorFields,
    routed: draft.routed,
  });

/** Freezes a JSON-like value deeply. For maps there is `immutableMap`. */
function deepFreeze<T>(value: T): T {
  if (Array.isArray(value)) value.forEach(deepFreeze);
  else if (isObject(value)) {
    // The loop avoids a list of keys: it runs for every attribute of a project at each start.
    for (const key in value) {
      const inner = value[key];
      if (typeof inner === 'object' && inner !== null) deepFreeze(inner);
    }
  }
  return Object.freeze(value);
}

const refuse = (): never => {
  throw new TypeError('the content model cannot be changed');
};

/** A Map that throws when it is changed: Object.freeze does not reach the entries of a Map. */
function immutableMap<K, V>(entries: Iterable<readonly [K, V]>): ReadonlyMap<K, V> {
  const map = new Map(entries);
  map.set = refuse;
  map.delete = refuse;
  map.clear = refuse;
  return Object.freeze(map);
}
