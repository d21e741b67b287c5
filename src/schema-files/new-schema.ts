/** Plans the files of a new content type or component, and the changes of related types' files. */
import { posix } from 'node:path';
import pluralize from 'pluralize';
import type { SchemaFileKind } from '../model/schema-file/schema-file-kinds.ts';
import { kebabCase, snakeCase } from '../text/snake-case.ts';
import { addAttributes } from './add-attributes.ts';
import { type AttributeJson, attributeJson, NotationError } from './attribute-json.ts';
import type { AttributeNotation } from './attribute-notation.ts';
import { isRelation, type Owner, relationArgs, relationSides, type Target } from './relation-sides.ts';

export interface NewType {
  /** In kebab-case. */
  readonly singularName: string;
  readonly pluralName: string;
  readonly single: boolean;
  readonly draftAndPublish: boolean;
  readonly localized: boolean;
  readonly attributes: readonly AttributeNotation[];
}

export interface NewComponent {
  /** `shared.seo` */
  readonly uid: string;
  readonly attributes: readonly AttributeNotation[];
}

/** What the project has already. */
export interface Present {
  readonly targets: readonly Target[];
  readonly components: readonly string[];
  /** The folder with the JSON Schemas for editors, relative to the project, with `/`. */
  readonly editorSchemas: string;
  /** The text of a schema file; undefined if there is none. */
  textOf(file: string): string | undefined;
}

/** A file to write. Paths are relative to the project, with `/`. */
export interface FileChange {
  readonly file: string;
  /** The present text; undefined for a new file. */
  readonly before: string | undefined;
  readonly after: string;
  /** The attributes that were added to the file of another type. */
  readonly added: readonly string[];
}

export type PlannedFiles =
  | { readonly ok: true; readonly changes: readonly FileChange[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/** The mistakes that need no look at the project. */
export function notationProblems(attributes: readonly AttributeNotation[], kind: SchemaFileKind): readonly string[] {
  return attributes.flatMap((attribute) => {
    try {
      if (attributes.find(({ name }) => name === attribute.name) !== attribute)
        throw new NotationError('another attribute has the same name');
      if (isRelation(attribute)) relationArgs(attribute, kind === 'content-type');
      else attributeJson(attribute, { siblings: attributes, components: undefined });
      return [];
    } catch (error) {
      return [problemOf(attribute, error)];
    }
  });
}

/** Throws any other error than a `NotationError`. */
function problemOf({ written }: AttributeNotation, error: unknown): string {
  if (!(error instanceof NotationError)) throw error;
  return `${written}: ${error.message}`;
}

const kebab = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** The problem with a name, or undefined. */
export function nameProblem(name: string, what: string): string | undefined {
  if (kebab.test(name)) return undefined;
  const better = kebabCase(name);
  return `${what} "${name}" is not in kebab-case (small letters and digits, joined by "-")${kebab.test(better) ? `: ${better}` : ''}`;
}

export const pluralOf = (singularName: string): string => {
  const plural = pluralize(singularName);
  // Both names must differ, since either may stand in a URL or a right.
  return plural === singularName ? `${singularName}-list` : plural;
};

/** The name of a type as people read it: `blog-post` is `Blog post`. */
const displayName = (name: string): string => name.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase());

/** `notationProblems` has found none. */
export function planType(type: NewType, present: Present): PlannedFiles {
  const { singularName, pluralName, single, draftAndPublish, localized } = type;
  const uid = `api::${singularName}.${singularName}` as const;
  const file = `src/api/${singularName}/content-types/${singularName}/schema.json`;
  const owner: Owner = { uid, singularName, pluralName };
  return plan({ attributes: type.attributes, owner, file, localized }, present, (attributes) => ({
    $schema: editorSchema('content-type', file, present),
    kind: single ? 'singleType' : 'collectionType',
    collectionName: snakeCase(pluralName),
    info: { singularName, pluralName, displayName: displayName(singularName) },
    options: { draftAndPublish },
    pluginOptions: localized ? isLocalized : {},
    attributes,
  }));
}

/** `notationProblems` has found none. */
export function planComponent({ uid, attributes }: NewComponent, present: Present): PlannedFiles {
  const [category = '', name = ''] = uid.split('.');
  const file = `src/components/${category}/${name}.json`;
  return plan({ attributes, owner: undefined, file, localized: false }, present, (made) => ({
    $schema: editorSchema('component', file, present),
    collectionName: `components_${snakeCase(category)}_${snakeCase(pluralOf(name))}`,
    info: { displayName: displayName(name) },
    options: {},
    attributes: made,
  }));
}

/** The path of the JSON Schema from a schema file. */
const editorSchema = (kind: SchemaFileKind, file: string, { editorSchemas }: Present): string =>
  posix.relative(posix.dirname(file), posix.join(editorSchemas, `${kind}.json`));

interface Asked {
  readonly attributes: readonly AttributeNotation[];
  readonly owner: Owner | undefined;
  readonly file: string;
  readonly localized: boolean;
}

const isLocalized = { i18n: { localized: true } };

function plan(
  { attributes, owner, file, localized }: Asked,
  present: Present,
  schemaOf: (attributes: Record<string, AttributeJson>) => Record<string, unknown>,
): PlannedFiles {
  const problems: string[] = [];
  if (present.textOf(file) !== undefined) problems.push(`${file} already exists and is not overwritten`);
  else if (owner !== undefined) problems.push(...takenNames(owner, present));
  const own: Record<string, AttributeJson> = {};
  /** Attributes that other types get, by file. */
  const others = new Map<string, Record<string, AttributeJson>>();
  const taken = new Map(present.targets.map((target) => [target.uid, new Set(target.attributes)]));
  const names = new Set(attributes.map(({ name }) => name));
  if (owner !== undefined) taken.set(owner.uid, names);
  const known = [
    ...(owner === undefined ? [] : [{ ...owner, file, attributes: names }]),
    ...present.targets.filter(({ uid }) => uid !== owner?.uid),
  ];
  for (const attribute of attributes) {
    const targets = known.map((target) => ({ ...target, attributes: taken.get(target.uid) ?? target.attributes }));
    try {
      if (!isRelation(attribute)) {
        const json = attributeJson(attribute, { siblings: attributes, components: present.components });
        own[attribute.name] = localized ? { ...json, pluginOptions: isLocalized } : json;
        continue;
      }
      const sides = relationSides(attribute, owner, targets);
      own[attribute.name] = sides.own;
      if (sides.other === undefined) continue;
      const { target, name, json } = sides.other;
      taken.get(target.uid)?.add(name);
      if (target.uid === owner?.uid) own[name] = json;
      else if (target.file !== undefined) others.set(target.file, { ...others.get(target.file), [name]: json });
    } catch (error) {
      problems.push(problemOf(attribute, error));
    }
  }
  if (problems.length > 0) return { ok: false, problems };
  const changed = [...others].map(([other, added]): FileChange => {
    const before = present.textOf(other) ?? '{ "attributes": {} }';
    return { file: other, before, after: addAttributes(before, added), added: Object.keys(added) };
  });
  return { ok: true, changes: [{ file, before: undefined, after: textOfSchema(schemaOf(own)), added: [] }, ...changed] };
}

/** The loader compares names as well, but cannot know which of the two types is new. */
const takenNames = ({ singularName, pluralName }: Owner, { targets }: Present): readonly string[] =>
  [...new Set([singularName, pluralName])].flatMap((name) => {
    const other = targets.find((target) => target.uid.startsWith('api::') && [target.singularName, target.pluralName].includes(name));
    return other === undefined
      ? []
      : [`the name "${name}" belongs to ${other.uid} already (${other.file}); choose another name, or another one for --plural`];
  });

const textOfSchema = (schema: Record<string, unknown>): string => `${JSON.stringify(schema, null, 2)}\n`;
