/** A TypeScript file with the types of a project: an interface for each content type and component,
 *  as in responses and in bodies, and `Schema`, from which `@lectern/client` takes the types of its
 *  parameters and results. */
import { fileUid, userUid } from '../model/built-in-types.ts';
import type { Attribute, ContentModel, ContentType, Schema, Uid } from '../model/content-model.ts';
import { type GroupKind, groupKind } from '../model/group-kind.ts';
import { isVisible, listsUsersOfRole } from '../model/visibility.ts';
import type { EndpointManifest, Manifest } from '../own-code/protocol.ts';
import type { JsonSchema } from '../own-code/types.ts';
import { filterType, inputType, isNeverNull, type Names, needsEntries, outputType, targetType } from './attribute-types.ts';
import { describeAttribute, describeSchema, mayBeDraft } from './describe-attribute.ts';
import { typeOfJsonSchema } from './json-schema-type.ts';
import { sharedTypes, takenNames } from './shared-types.ts';
import { docComment, keyOf, quoted } from './source-text.ts';
import { inputName, nameTypes } from './type-names.ts';

/** The settings that decide about which attributes a new document needs. */
export interface BodyRules {
  /** A uid that a new document lacks is made from its `targetField`. */
  readonly fillUids: boolean;
  /** `required` counts for relations and media. */
  readonly requireRelations: boolean;
}

/** The first line of every file, by which a file of `lectern types` is known. */
export const firstLine = '// Written by `lectern types` from the schema files of a project. Changes here are lost.';

export interface ProjectFacts {
  /** The prefix of the API, for comments. */
  readonly prefix: string;
  /** What hooks and endpoints of the project define; undefined for a project without them. */
  readonly code: Pick<Manifest, 'endpoints'> | undefined;
}

/** The whole file. The same schema files give the same text. */
export function typescriptOf(model: ContentModel, rules: BodyRules, { prefix, code }: ProjectFacts = usualFacts): string {
  const schemas = writtenSchemas(model);
  const file: File = { names: nameTypes(schemas, takenNames), rules, prefix };
  return [
    `${firstLine}\n/* eslint-disable */\n`,
    ...schemas.flatMap((schema) => [outputInterface(schema, file), ...(hasInput(schema) ? [inputInterface(schema, file)] : [])]),
    sharedTypes,
    schemaInterface(schemas, file, code?.endpoints ?? []),
    ...(code === undefined ? [] : [ofCode]),
  ].join('\n');
}

const usualFacts: ProjectFacts = { prefix: '/api', code: undefined };

const ofCode = `/** The types of hooks and endpoints. */
declare module 'lectern' {
  interface Project {
    schema: Schema;
  }
}
`;

interface File {
  readonly prefix: string;
  readonly names: Names;
  readonly rules: BodyRules;
}

/** The project's content types, the types that they lead to, and components; each group by uid. */
function writtenSchemas({ contentTypes, components }: ContentModel): readonly Schema[] {
  const own = [...contentTypes.values()].filter(({ routed }) => routed);
  const reached = new Set<Uid>(own.map(({ uid }) => uid));
  const reach = (uid: Uid | undefined): void => {
    const type = uid === undefined ? undefined : contentTypes.get(uid);
    if (type === undefined || reached.has(type.uid)) return;
    reached.add(type.uid);
    reachFrom(type);
  };
  const reachFrom = (schema: Schema): void => {
    for (const attribute of schema.attributes.values())
      if (isShown(attribute) && (attribute.kind === 'relation' || attribute.kind === 'media')) reach(attribute.target);
  };
  for (const schema of [...own, ...components.values()]) reachFrom(schema);
  // Uploads and accounts have endpoints, whether or not a type leads to them.
  for (const uid of [fileUid, userUid]) reach(uid);
  const others = [...reached].flatMap((uid) => contentTypes.get(uid) ?? []).filter(({ routed }) => !routed);
  return [own, others, [...components.values()]].flatMap((group: readonly Schema[]) => group.toSorted(byUid));
}

const byUid = ({ uid: one }: Schema, { uid: other }: Schema): number => (one < other ? -1 : 1);

/** Files are uploaded, and roles are no content: of such types, only accounts have typed bodies. */
const hasInput = (schema: Schema): boolean => schema.kind === 'component' || schema.routed || schema.uid === userUid;

/** Whether a response may have the attribute. */
const isShown = (attribute: Attribute): boolean =>
  isVisible(attribute) && !listsUsersOfRole(attribute) && !(attribute.kind === 'relation' && attribute.storage.kind === 'nowhere');

interface Member {
  readonly attribute: Attribute;
  readonly type: string;
}

const outputs = (schema: Schema, { names }: File): readonly Member[] =>
  [...schema.attributes.values()].filter(isShown).flatMap((attribute) => {
    const type = outputType(attribute, schema, names);
    return type === undefined ? [] : [{ attribute, type }];
  });

function outputInterface(schema: Schema, file: File): string {
  const members = outputs(schema, file).map((member) => memberText(member, schema, 'output', member.attribute.kind !== 'scalar'));
  return interfaceText(nameOf(schema, file), describeSchema(schema, file.prefix), members);
}

function inputInterface(schema: Schema, file: File): string {
  const written = [...schema.attributes.values()].filter((attribute) => isWritten(attribute, schema));
  const members = written.flatMap((attribute) => {
    const type = inputType(attribute, schema, file.names);
    return type === undefined ? [] : [memberText({ attribute, type }, schema, 'input', !isNeeded(attribute, schema, file.rules))];
  });
  const name = nameOf(schema, file);
  return interfaceText(inputName(name), [`\`${name}\` in the body of a request.`], members);
}

const memberText = ({ attribute, type }: Member, schema: Schema, use: 'output' | 'input', isOptional: boolean): string =>
  `${docComment(describeAttribute(attribute, schema, use), '  ')}  ${keyOf(attribute.name)}${isOptional ? '?' : ''}: ${type};\n`;

/** Bodies may have `publishedAt` and `locale`, but only a new document's locale counts. The server
 *  sets the tokens of accounts. */
const isWritten = (attribute: Attribute, { uid }: Schema): boolean =>
  attribute.writable &&
  !(attribute.kind === 'relation' && attribute.storage.kind === 'nowhere') &&
  !(attribute.kind === 'scalar' && attribute.system && (attribute.name !== 'locale' || attribute.private)) &&
  !(uid === userUid && attribute.private && !(attribute.kind === 'scalar' && attribute.type === 'password'));

/** Whether a new, published document has to have the attribute. */
function isNeeded(attribute: Attribute, schema: Schema, { fillUids, requireRelations }: BodyRules): boolean {
  if (!attribute.required) return false;
  switch (attribute.kind) {
    case 'scalar': {
      const { default: byDefault, targetField } = attribute.options;
      const isMade = fillUids && attribute.type === 'uid' && typeof targetField === 'string' && schema.kind !== 'component';
      return !isMade && (byDefault === undefined || byDefault === null || byDefault === '');
    }
    case 'relation':
    case 'media':
      return requireRelations;
    case 'component':
      return attribute.cardinality === 'one' || needsEntries(attribute);
    case 'dynamiczone':
      return needsEntries(attribute);
  }
}

function interfaceText(name: string, comment: readonly string[], members: readonly string[]): string {
  return `${docComment(comment)}export interface ${name} {\n${members.join('')}}\n`;
}

function schemaInterface(schemas: readonly Schema[], file: File, endpoints: readonly EndpointManifest[]): string {
  const routed = schemas.filter((schema): schema is ContentType => schema.kind !== 'component' && schema.routed);
  const paths = (kind: ContentType['kind'], path: (type: ContentType) => string) =>
    routed.filter((type) => type.kind === kind).map((type) => `    ${keyOf(path(type))}: ${quoted(type.uid)};\n`);
  return [
    docComment(['The types of the project, for `@lectern/client`: `createClient<Schema>(…)`.']),
    'export interface Schema {\n',
    `  collections: {\n${paths('collectionType', ({ pluralName }) => pluralName).join('')}  };\n`,
    `  singles: {\n${paths('singleType', ({ singularName }) => singularName).join('')}  };\n`,
    `  types: {\n${schemas.map((schema) => schemaMember(schema, file)).join('')}  };\n`,
    endpoints.length === 0 ? '' : `  endpoints: {\n${endpoints.map(endpointMember).join('')}  };\n`,
    '}\n',
  ].join('');
}

function endpointMember({ method, path, query, body, response }: EndpointManifest): string {
  const params = [...path.matchAll(/:([\w~.-]+)/g)].map(([, name = '']) => `${keyOf(name)}: string`);
  const members = [
    ...(params.length === 0 ? [] : [`params: { ${params.join('; ')} }`]),
    ...(query === undefined ? [] : [`query${needs(query) ? '' : '?'}: ${typeOfJsonSchema(query)}`]),
    ...(body === undefined ? [] : [`body: ${typeOfJsonSchema(body)}`]),
    `response: ${typeOfJsonSchema(response)}`,
  ];
  return `    ${quoted(`${method} ${path}`)}: { ${members.join('; ')} };\n`;
}

const needs = ({ required }: JsonSchema): boolean => Array.isArray(required) && required.length > 0;

function schemaMember(schema: Schema, file: File): string {
  const members = outputs(schema, file);
  const record = (typeOf: (attribute: Attribute) => string | undefined): string => {
    const entries = members.flatMap(({ attribute }) => {
      const type = typeOf(attribute);
      return type === undefined ? [] : [`        ${keyOf(attribute.name)}: ${type};\n`];
    });
    return entries.length === 0 ? '{}' : `{\n${entries.join('')}      }`;
  };
  const ofDrafts = members.filter(({ attribute }) => attribute.required && isNeverNull(attribute) && mayBeDraft(schema));
  const name = nameOf(schema, file);
  return [
    `    ${quoted(schema.uid)}: {\n`,
    `      entry: ${name};\n`,
    `      input: ${hasInput(schema) ? inputName(name) : 'never'};\n`,
    `      populate: ${record(targetType)};\n`,
    `      filterValues: ${record(filterType)};\n`,
    `      nullInDrafts: ${ofDrafts.length === 0 ? 'never' : ofDrafts.map(({ attribute }) => quoted(attribute.name)).join(' | ')};\n`,
    `      groups: ${record((attribute) => kindText(groupKind(attribute)))};\n`,
    '    };\n',
  ].join('');
}

const kindText = (kind: GroupKind | undefined): string | undefined => (kind === undefined ? undefined : quoted(kind));

/** Every written schema has a name. */
const nameOf = ({ uid }: Schema, { names }: File): string => names.get(uid) ?? '';
