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
import { checkCounts, checkRules } from './check-rules.ts';
import { type Mistake, questionAttribute, type Resolution, readAttribute, reportAttribute, type WrittenAttribute } from './resolution.ts';
import { inverseMorphLink, resolveRelation } from './resolve-relation.ts';
import { type Draft, nonEmpty } from './unresolved-model.ts';

/** The attribute of the model; undefined if it has a mistake, which has then been reported. */
export function resolveAttribute(owner: Draft, name: string, written: unknown, resolution: Resolution): Attribute | undefined {
  if (!isObject(written)) {
    return reportAttribute(
      { owner, name, json: {} },
      { problem: 'an attribute is a JSON object', remedy: 'write { "type": "string" }' },
      resolution,
    );
  }
  const attribute: WrittenAttribute = { owner, name, json: written };
  const type = written.type;
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
    default:
      if (typeof type === 'string' && isScalarType(type)) return scalar(attribute, type, resolution);
      return reportAttribute(
        attribute,
        {
          key: 'type',
          problem: type === undefined ? 'the type is missing' : `unknown type ${JSON.stringify(type)}`,
          remedy: suggest(type, attributeTypeNames, `one of ${attributeTypeNames.join(', ')}`),
        },
        resolution,
      );
  }
}

/* Attributes are written out key by key: an object spread into another makes a slow object, and there are thousands of attributes that
 * every request reads. */

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
  const values = readAttribute(keys, attribute, resolution);
  const column = columnOf(attribute);
  if (column === '') {
    return reportAttribute(
      attribute,
      { problem: 'the name has no letter or digit, so no column can be named for it', remedy: 'rename it' },
      resolution,
    );
  }
  const enumValues = type === 'enumeration' ? stringsAt(json, 'enum') : undefined;
  if (type === 'enumeration' && (enumValues === undefined || enumValues.length === 0)) {
    const problem = 'an enumeration needs a list of values, all of them text';
    const remedy = 'add "enum": ["one", "two"]';
    if (enumValues === undefined) return reportAttribute(attribute, { key: 'enum', problem, remedy }, resolution);
    if (!questionAttribute(attribute, { key: 'enum', problem, remedy }, resolution)) return undefined;
  }
  const options = rulesOf(json, keys);
  if (typeof json.regex === 'string' && !isRegularExpression(json.regex)) {
    const problem = `${JSON.stringify(json.regex)} is not a regular expression${resolution.asStrapi ? ', so values are not checked against it' : ''}`;
    if (!questionAttribute(attribute, { key: 'regex', problem, remedy: 'write it as in JavaScript, without the slashes' }, resolution))
      return undefined;
    delete options.regex;
  }
  const resolved: ScalarAttribute = {
    kind: 'scalar',
    name,
    description: nonEmpty(values.description),
    // A password can be written and never read, and no filter may probe its hash.
    private: type === 'password' || isPrivate(attribute, values),
    // A uid names the document of one locale, so it differs between locales whatever the schema says.
    localized: (type === 'uid' && attribute.owner.localized) || differsByLocale(attribute, values),
    required: values.required,
    writable: values.writable,
    type,
    column,
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
  if (typeof field !== 'string') {
    return reportAttribute(
      attribute,
      { key: 'customField', problem: 'does not say which custom field', remedy: 'add "customField": "plugin::<plugin>.<name>"' },
      resolution,
    );
  }
  const type = baseTypeOf(field, attribute, resolution);
  // One message lists all undecided fields, with a setting to copy.
  if (type === undefined) {
    resolution.customFields.undecided(field, attribute);
    return undefined;
  }
  if (isScalarType(type)) return scalar(attribute, type, resolution, customFieldKeys(type));
  return reportAttribute(
    attribute,
    {
      key: 'customField',
      problem: `custom field ${JSON.stringify(field)} has the unknown base type ${JSON.stringify(type)}`,
      remedy: `set its base type in lectern.config.json: "customFields": { ${JSON.stringify(field)}: "string" }`,
    },
    resolution,
  );
}

/** Looks in the configuration, the built-in list and the code of plugins; if none has it, the column's type decides. */
function baseTypeOf(field: string, attribute: WrittenAttribute, resolution: Resolution): string | undefined {
  const { customFields, asStrapi } = resolution;
  const baseType = customFields.typeOf(field);
  if (baseType !== undefined || !asStrapi) return baseType;
  const { owner, name } = attribute;
  const stored = customFields.columnType(owner.table, columnOf(attribute));
  if (stored === undefined) return undefined;
  const problem = `unknown custom field ${JSON.stringify(field)}, served as ${stored}: that is what the column holds`;
  const remedy = `set its base type in lectern.config.json: "customFields": { ${JSON.stringify(field)}: ${JSON.stringify(stored)} }`;
  resolution.problems.question(owner.source, ['attributes', name, 'customField'], problem, remedy);
  return stored;
}

/** The column of an attribute; a schema file may name it. */
const columnOf = ({ json, name }: WrittenAttribute): string => stringAt(json, 'columnName') ?? columnName(name);

function relation(attribute: WrittenAttribute, resolution: Resolution): RelationAttribute | undefined {
  const resolved = resolveRelation(attribute, resolution);
  if (resolved === undefined) return undefined;
  const values = readAttribute(relationAttribute.keys, attribute, resolution);
  return {
    kind: 'relation',
    name: attribute.name,
    description: nonEmpty(values.description),
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
  if (file === undefined) {
    return reportAttribute(
      attribute,
      { problem: `the type of files, ${fileUid}, could not be loaded`, remedy: 'correct its extension' },
      resolution,
    );
  }
  const values = readAttribute(mediaAttribute.keys, attribute, resolution);
  return {
    kind: 'media',
    name,
    description: nonEmpty(values.description),
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

/** The mistake of an attribute whose `key` does not name a component. */
function unknownComponent(uid: unknown, key: NonNullable<Mistake['key']>, { drafts }: Resolution): Mistake {
  const known = [...drafts.values()].filter((draft) => draft.kind === 'component').map((draft) => draft.uid);
  return {
    key,
    problem: uid === undefined ? 'the component is missing' : `unknown component ${JSON.stringify(uid)}`,
    remedy: suggest(uid, known, 'a component is named for its file: "shared.seo" is src/components/shared/seo.json'),
  };
}

function component(attribute: WrittenAttribute, resolution: Resolution): ComponentAttribute | undefined {
  const { json } = attribute;
  const uid = json.component;
  if (isUnreadable(uid, resolution)) return undefined;
  if (!isComponent(uid, resolution)) return reportAttribute(attribute, unknownComponent(uid, 'component', resolution), resolution);
  const values = readAttribute(componentAttribute.keys, attribute, resolution);
  checkCounts(attribute, values, resolution);
  return {
    kind: 'component',
    name: attribute.name,
    description: nonEmpty(values.description),
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
  const { json } = attribute;
  if (!Array.isArray(json.components)) {
    const remedy = 'add "components": ["shared.quote"]';
    if (!questionAttribute(attribute, { key: 'components', problem: 'the list of components is missing', remedy }, resolution))
      return undefined;
  }
  const listed: readonly unknown[] = Array.isArray(json.components) ? json.components : [];
  // Strapi starts although a component is missing, and fails when one is read or written.
  for (const [index, uid] of listed.entries())
    if (!isComponent(uid, resolution) && !isUnreadable(uid, resolution))
      questionAttribute(attribute, unknownComponent(uid, ['components', index], resolution), resolution);
  const known = listed.filter((uid) => isComponent(uid, resolution));
  if (known.length !== listed.length && !resolution.asStrapi) return undefined;
  const values = readAttribute(dynamicZoneAttribute.keys, attribute, resolution);
  checkCounts(attribute, values, resolution);
  return {
    kind: 'dynamiczone',
    name: attribute.name,
    description: nonEmpty(values.description),
    private: isPrivate(attribute, values),
    localized: differsByLocale(attribute, values),
    required: values.required,
    writable: values.writable,
    components: known,
    min: values.min,
    max: values.max,
  };
}
