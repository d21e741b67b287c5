/** The TypeScript type of an attribute: in responses, in bodies and in filters. */
import { fileUid } from '../model/built-in-types.ts';
import type {
  Attribute,
  ComponentAttribute,
  DynamicZoneAttribute,
  ScalarAttribute,
  ScalarType,
  Schema,
  Uid,
} from '../model/content-model.ts';
import { quoted, union } from './source-text.ts';
import { inputName } from './type-names.ts';

/** The interfaces of the file by the uids of their types. */
export type Names = ReadonlyMap<Uid, string>;

interface ScalarTypes {
  readonly output: string;
  readonly input: string;
  /** The values that filters compare with; undefined if they are those of `output`. */
  readonly filter: string | undefined;
}

const same = (type: string): ScalarTypes => ({ output: type, input: type, filter: undefined });
const text = same('string');
const number = same('number');
const instant: ScalarTypes = { output: 'string', input: 'string | Date', filter: 'string | Date' };

const scalarTypes: Readonly<Record<ScalarType, ScalarTypes>> = {
  string: text,
  text,
  richtext: text,
  email: text,
  password: text,
  uid: text,
  enumeration: text,
  integer: number,
  float: number,
  decimal: number,
  biginteger: { output: 'string', input: 'string | number', filter: 'string | number | bigint' },
  boolean: same('boolean'),
  date: text,
  time: text,
  datetime: instant,
  timestamp: instant,
  json: { ...same('JsonValue'), filter: 'string' },
  blocks: { ...same('BlocksContent'), filter: 'string' },
};

/** Types of values, without null. Enumerations without values refuse all, but rows may have one. */
function valueTypes({ type, name, enumValues }: ScalarAttribute, schema: Schema, use: 'output' | 'input'): readonly string[] {
  if (type === 'enumeration' && enumValues !== undefined && enumValues.length > 0) return [...new Set(enumValues)].map(quoted);
  if (schema.uid === fileUid && name === 'formats' && type === 'json') return ['FileFormats'];
  return [scalarTypes[type][use]];
}

const orNull = (types: readonly string[], isNeverNull: boolean): string => union(isNeverNull ? types : [...types, 'null'], '  ');

/** Whether responses always have a value, drafts aside. Links can always lead to a removed or
 *  unpublished document. */
export const isNeverNull = (attribute: Attribute): boolean =>
  attribute.kind === 'scalar'
    ? attribute.required || (attribute.system && attribute.name !== 'publishedAt')
    : attribute.kind === 'dynamiczone' || (attribute.kind === 'component' && attribute.required);

/** The type in a response that contains the attribute; undefined if no response does. */
export function outputType(attribute: Attribute, schema: Schema, names: Names): string | undefined {
  switch (attribute.kind) {
    case 'scalar':
      return orNull(valueTypes(attribute, schema, 'output'), isNeverNull(attribute));
    case 'relation':
    case 'media':
    case 'component': {
      const target = attribute.kind === 'component' ? attribute.component : attribute.target;
      const name = target === undefined ? 'AnyDocument' : names.get(target);
      if (name === undefined) return undefined;
      return attribute.cardinality === 'many' ? `${name}[]` : orNull([name], isNeverNull(attribute));
    }
    case 'dynamiczone':
      return listOf(zoneTypes(attribute, names, (uid, name) => `ZoneEntry<${quoted(uid)}, ${name}>`));
  }
}

/** The type in a body; undefined if bodies cannot have the attribute. */
export function inputType(attribute: Attribute, schema: Schema, names: Names): string | undefined {
  switch (attribute.kind) {
    case 'scalar':
      return orNull(valueTypes(attribute, schema, 'input'), attribute.required);
    case 'relation':
    case 'media': {
      const targets = attribute.target === undefined ? '<AnyDocumentInput>' : '';
      return `${attribute.cardinality === 'many' ? 'ToManyInput' : 'ToOneInput'}${targets}`;
    }
    case 'component': {
      const name = names.get(attribute.component);
      if (name === undefined) return undefined;
      const one = `ComponentInput<${inputName(name)}>`;
      return attribute.cardinality === 'many' ? `${one}[]` : orNull([one], attribute.required);
    }
    case 'dynamiczone':
      return listOf(zoneTypes(attribute, names, (uid, name) => `ZoneEntry<${quoted(uid)}, ComponentInput<${inputName(name)}>>`));
  }
}

export const filterType = (attribute: Attribute): string | undefined =>
  attribute.kind === 'scalar' ? scalarTypes[attribute.type].filter : undefined;

/** Where the client finds `populate`'s target types; undefined for attributes without one. */
export function targetType(attribute: Attribute): string | undefined {
  switch (attribute.kind) {
    case 'scalar':
      return undefined;
    case 'relation':
    case 'media':
      return attribute.target === undefined
        ? `{ any: '${attribute.cardinality}' }`
        : `{ ${attribute.cardinality}: ${quoted(attribute.target)} }`;
    case 'component':
      return `{ ${attribute.cardinality}: ${quoted(attribute.component)} }`;
    case 'dynamiczone':
      return `{ zone: ${attribute.components.length === 0 ? 'never' : union(attribute.components.map(quoted), '        ')} }`;
  }
}

/** Whether a list has to have entries. */
export const needsEntries = ({ required, min }: ComponentAttribute | DynamicZoneAttribute): boolean =>
  required && min !== undefined && min > 0;

const zoneTypes = ({ components }: DynamicZoneAttribute, names: Names, typeOf: (uid: Uid, name: string) => string): readonly string[] =>
  components.flatMap((uid) => {
    const name = names.get(uid);
    return name === undefined ? [] : [typeOf(uid, name)];
  });

const listOf = (types: readonly string[]): string =>
  types.length === 0 ? 'never[]' : types.length === 1 ? `${types[0]}[]` : `(\n    | ${types.join('\n    | ')}\n  )[]`;
