/** Turns an attribute as a schema file has it into the attribute of the model. */

import { isObject, type JsonObject, stringAt, stringsAt } from '../../text/json.ts';
import { fileUid } from '../built-in-types.ts';
import type {
  Attribute,
  ComponentAttribute,
  DynamicZoneAttribute,
  MediaAttribute,
  RelationAttribute,
  ScalarAttribute,
  ScalarType,
} from '../content-model.ts';
import { columnName } from '../naming.ts';
import { isScalarType, relationKinds } from '../scalar-types.ts';
import {
  attributeTypeNames,
  componentAttribute,
  customFieldKeys,
  dynamicZoneAttribute,
  mediaAttribute,
  relationAttribute,
  scalarAttributes,
} from '../schema-file/attribute-keys.ts';
import type { Key } from '../schema-file/key.ts';
import { suggest } from '../schema-file/read-keys.ts';
import { presentationOfAttribute } from './attribute-presentation.ts';
import { checkCounts, checkRules } from './check-rules.ts';
import { type Resolution, WrittenAttribute } from './resolution.ts';
import { inverseMorphLink, resolveRelation } from './resolve-relation.ts';
import { type Draft, nonEmpty } from './unresolved-model.ts';

/** The attribute of the model; undefined if it has a mistake, which has then been reported. */
export function resolveAttribute(owner: Draft, name: string, written: unknown, resolution: Resolution): Attribute | undefined {
  const attribute = new WrittenAttribute(owner, name, isObject(written) ? written : {}, resolution.problems);
  if (!isObject(written)) return attribute.report([], 'an attribute is a JSON object', 'write { "type": "string" }');
  const { type } = written;
  switch (type) {
    case 'relation':
      return relation(attribute, resolution);
    case 'media':
      return media(attribute, resolution);
    case 'component':
      return component(attribute, resolution);
    case 'dynamiczone':
      return dynamicZone(attribute, resolution);
    case 'customField':
      return customField(attribute, resolution);
    default: {
      if (typeof type === 'string' && isScalarType(type)) return scalar(attribute, type, resolution);
      const problem = type === undefined ? 'the type is missing' : `unknown type ${JSON.stringify(type)}`;
      return attribute.report('type', problem, suggest(type, attributeTypeNames, `one of ${attributeTypeNames.join(', ')}`));
    }
  }
}

/* Attributes are written out key by key: an object spread into another makes a slow object, and
 * every request reads thousands of attributes. */

/** The values of keys that every attribute has. */
interface CommonValues {
  readonly description: string | undefined;
  readonly private: boolean;
  readonly required: boolean;
  readonly writable: boolean;
  readonly pluginOptions: { readonly i18n: { readonly localized: boolean } };
}

const isPrivate = ({ owner, name }: WrittenAttribute, values: CommonValues): boolean =>
  values.private || owner.privateAttributes.includes(name);
const differsByLocale = ({ owner }: WrittenAttribute, values: CommonValues): boolean =>
  owner.localized && values.pluginOptions.i18n.localized;

/** The rules for values, as they are written. */
function rulesOf(json: JsonObject, keys: Readonly<Record<string, Key>>): Record<string, unknown> {
  const rules: Record<string, unknown> = {};
  for (const name of Object.keys(json)) if (Object.hasOwn(keys, name) && keys[name]?.isRule) rules[name] = json[name];
  return rules;
}

function scalar(
  attribute: WrittenAttribute,
  type: ScalarType,
  resolution: Resolution,
  keys = scalarAttributes[type].keys,
): ScalarAttribute | undefined {
  const { json, name } = attribute;
  const values = attribute.read(keys);
  const column = columnOf(attribute);
  if (column === '') return attribute.report([], 'the name has no letter or digit, so no column can be named for it', 'rename it');
  const enumValues = type === 'enumeration' ? stringsAt(json, 'enum') : undefined;
  if (type === 'enumeration' && (enumValues === undefined || enumValues.length === 0)) {
    const problem = 'an enumeration needs a list of values, all of them text';
    const remedy = 'add "enum": ["one", "two"]';
    if (enumValues === undefined) return attribute.report('enum', problem, remedy);
    if (!attribute.question('enum', problem, remedy)) return undefined;
  }
  const options = rulesOf(json, keys);
  if (typeof json.regex === 'string' && !isRegularExpression(json.regex)) {
    const problem = `${JSON.stringify(json.regex)} is not a regular expression${resolution.asStrapi ? ', so values are not checked against it' : ''}`;
    if (!attribute.question('regex', problem, 'write it as in JavaScript, without the slashes')) return undefined;
    delete options.regex;
  }
  const resolved: ScalarAttribute = {
    kind: 'scalar',
    name,
    description: nonEmpty(values.description),
    lectern: presentationOfAttribute(attribute, values, type),
    // A password can be written and never read, and no filter may probe its hash.
    private: type === 'password' || isPrivate(attribute, values),
    // A uid names the document of one locale: it differs between locales, whatever the schema says.
    localized: (type === 'uid' && attribute.owner.localized) || differsByLocale(attribute, values),
    required: values.required,
    writable: values.writable,
    type,
    column,
    customField: json.type === 'customField' ? stringAt(json, 'customField') : undefined,
    system: false,
    searchable: values.searchable,
    unique: values.unique,
    enumValues,
    options,
  };
  checkRules(attribute, resolved, resolution);
  return resolved;
}

function isRegularExpression(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}

function customField(attribute: WrittenAttribute, resolution: Resolution): ScalarAttribute | undefined {
  const field = attribute.json.customField;
  if (typeof field !== 'string')
    return attribute.report('customField', 'does not say which custom field', 'add "customField": "plugin::<plugin>.<name>"');
  const type = baseTypeOf(field, attribute, resolution);
  // One message lists all undecided fields, with a setting to copy.
  if (type === undefined) {
    resolution.customFields.undecided(field, attribute);
    return undefined;
  }
  if (isScalarType(type)) return scalar(attribute, type, resolution, customFieldKeys(type));
  const problem = `custom field ${JSON.stringify(field)} has the unknown base type ${JSON.stringify(type)}`;
  return attribute.report('customField', problem, baseTypeRemedy(field, 'string'));
}

const baseTypeRemedy = (field: string, type: string): string =>
  `set its base type in lectern.config.json: "customFields": { ${JSON.stringify(field)}: ${JSON.stringify(type)} }`;

/** Looks in the configuration, the built-in list and plugins' code; then at the column's type. */
function baseTypeOf(field: string, attribute: WrittenAttribute, resolution: Resolution): string | undefined {
  const { customFields, asStrapi } = resolution;
  const baseType = customFields.typeOf(field);
  if (baseType !== undefined || !asStrapi) return baseType;
  const stored = customFields.columnType(attribute.owner.table, columnOf(attribute));
  if (stored === undefined) return undefined;
  const problem = `unknown custom field ${JSON.stringify(field)}, served as ${stored}: that is what the column holds`;
  attribute.question('customField', problem, baseTypeRemedy(field, stored));
  return stored;
}

/** The column of an attribute; a schema file may name it. */
const columnOf = ({ json, name }: WrittenAttribute): string => stringAt(json, 'columnName') ?? columnName(name);

function relation(attribute: WrittenAttribute, resolution: Resolution): RelationAttribute | undefined {
  const resolved = resolveRelation(attribute, resolution);
  if (resolved === undefined) return undefined;
  const values = attribute.read(relationAttribute.keys);
  return {
    kind: 'relation',
    name: attribute.name,
    description: nonEmpty(values.description),
    lectern: presentationOfAttribute(attribute, values),
    private: isPrivate(attribute, values),
    // Links connect rows, so each locale has its own.
    localized: attribute.owner.localized,
    required: values.required,
    writable: values.writable,
    cardinality: relationKinds[resolved.relation].cardinality,
    relation: resolved.relation,
    target: resolved.target,
    inversedBy: resolved.inversedBy,
    mappedBy: resolved.mappedBy,
    twoWay: resolved.twoWay,
    storage: resolved.storage,
  };
}

function media(attribute: WrittenAttribute, resolution: Resolution): MediaAttribute | undefined {
  const { owner, name } = attribute;
  const file = resolution.drafts.get(fileUid);
  if (file === undefined) return attribute.report([], `the type of files, ${fileUid}, could not be loaded`, 'correct its extension');
  const values = attribute.read(mediaAttribute.keys);
  return {
    kind: 'media',
    name,
    description: nonEmpty(values.description),
    lectern: presentationOfAttribute(attribute, values),
    private: isPrivate(attribute, values),
    localized: differsByLocale(attribute, values),
    required: values.required,
    writable: values.writable,
    cardinality: values.multiple ? 'many' : 'one',
    target: fileUid,
    allowedTypes: values.allowedTypes,
    storage: inverseMorphLink(file, 'related', owner.uid, name),
  };
}

const isComponent = (uid: unknown, { drafts }: Resolution): uid is string =>
  typeof uid === 'string' && drafts.get(uid)?.kind === 'component';

const isUnreadable = (uid: unknown, { problems }: Resolution): boolean => typeof uid === 'string' && problems.unreadable.has(uid);

/** The problem of a `uid` that names no component, and its remedy. */
function unknownComponent(uid: unknown, { drafts }: Resolution): readonly [problem: string, remedy: string] {
  const known = [...drafts.values()].filter((draft) => draft.kind === 'component').map((draft) => draft.uid);
  return [
    uid === undefined ? 'the component is missing' : `unknown component ${JSON.stringify(uid)}`,
    suggest(uid, known, 'a component is named for its file: "shared.seo" is src/components/shared/seo.json'),
  ];
}

function component(attribute: WrittenAttribute, resolution: Resolution): ComponentAttribute | undefined {
  const uid = attribute.json.component;
  if (isUnreadable(uid, resolution)) return undefined;
  if (!isComponent(uid, resolution)) return attribute.report('component', ...unknownComponent(uid, resolution));
  const values = attribute.read(componentAttribute.keys);
  checkCounts(attribute, values);
  return {
    kind: 'component',
    name: attribute.name,
    description: nonEmpty(values.description),
    lectern: presentationOfAttribute(attribute, values),
    private: isPrivate(attribute, values),
    localized: differsByLocale(attribute, values),
    required: values.required,
    writable: values.writable,
    cardinality: values.repeatable ? 'many' : 'one',
    component: uid,
    min: values.min,
    max: values.max,
  };
}

function dynamicZone(attribute: WrittenAttribute, resolution: Resolution): DynamicZoneAttribute | undefined {
  const { components } = attribute.json;
  const listed: readonly unknown[] = Array.isArray(components) ? components : [];
  const remedy = 'add "components": ["shared.quote"]';
  if (listed !== components && !attribute.question('components', 'the list of components is missing', remedy)) return undefined;
  // Strapi starts although a component is missing, and fails when one is read or written.
  for (const [index, uid] of listed.entries())
    if (!isComponent(uid, resolution) && !isUnreadable(uid, resolution))
      attribute.question(['components', index], ...unknownComponent(uid, resolution));
  const known = listed.filter((uid) => isComponent(uid, resolution));
  if (known.length !== listed.length && !resolution.asStrapi) return undefined;
  const values = attribute.read(dynamicZoneAttribute.keys);
  checkCounts(attribute, values);
  return {
    kind: 'dynamiczone',
    name: attribute.name,
    description: nonEmpty(values.description),
    lectern: presentationOfAttribute(attribute, values),
    private: isPrivate(attribute, values),
    localized: differsByLocale(attribute, values),
    required: values.required,
    writable: values.writable,
    components: known,
    min: values.min,
    max: values.max,
  };
}
