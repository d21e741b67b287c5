import type { JsonObject } from '../../text/json.ts';
import type { Uid } from '../content-model.ts';
import type { Key, ValuesOf } from '../schema-file/key.ts';
import { type Path, readKeys } from '../schema-file/read-keys.ts';
import type { Wires } from './connect-relations.ts';
import type { CustomFields } from './custom-fields.ts';
import type { SchemaProblems } from './schema-problems.ts';
import type { Draft } from './unresolved-model.ts';

/** The context in which an attribute is resolved. */
export interface Resolution {
  readonly drafts: ReadonlyMap<Uid, Draft>;
  readonly wires: Wires;
  readonly customFields: CustomFields;
  readonly problems: SchemaProblems;
  /** Mistakes with which Strapi starts become warnings, and the attribute is served as Strapi serves it. */
  readonly asStrapi: boolean;
}

/** An attribute as its schema file has it, with its owner and name. */
export interface WrittenAttribute {
  readonly owner: Draft;
  readonly name: string;
  readonly json: JsonObject;
}

export interface Mistake {
  /** The key of the attribute that is wrong, or the path to a value inside it; undefined for the attribute itself. */
  readonly key?: string | Path | undefined;
  readonly problem: string;
  readonly remedy: string;
}

const pathTo = (name: string, key: Mistake['key']): Path => ['attributes', name, ...(typeof key === 'string' ? [key] : (key ?? []))];

/** Reports a mistake in an attribute, or in one of its keys. */
export function reportAttribute({ owner, name }: WrittenAttribute, { key, problem, remedy }: Mistake, { problems }: Resolution): undefined {
  problems.report(owner.source, pathTo(name, key), problem, remedy);
  return undefined;
}

/** Reports a mistake with which Strapi starts. Returns whether the attribute is served. */
export function questionAttribute({ owner, name }: WrittenAttribute, { key, problem, remedy }: Mistake, { problems }: Resolution): boolean {
  return problems.question(owner.source, pathTo(name, key), problem, remedy);
}

/** Reports a mistake that has no other effect than its own. */
export function warnOfAttribute({ owner, name }: WrittenAttribute, { key, problem, remedy }: Mistake, { problems }: Resolution): void {
  problems.warn(owner.source, pathTo(name, key), problem, remedy);
}

/** Reads the keys of an attribute, and warns of those that are wrong. */
export const readAttribute = <Keys extends Readonly<Record<string, Key>>>(
  keys: Keys,
  { owner, name, json }: WrittenAttribute,
  { problems }: Resolution,
): ValuesOf<Keys> =>
  readKeys({ keys, open: false }, json, (path, problem, remedy) =>
    problems.warn(owner.source, ['attributes', name, ...path], problem, remedy),
  );
