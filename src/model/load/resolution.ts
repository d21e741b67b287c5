import type { JsonObject } from '../../text/json.ts';
import { nearest } from '../../text/nearest.ts';
import type { Uid } from '../content-model.ts';
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
  /** The key of the attribute that is wrong; empty for the attribute itself. */
  readonly key: string;
  readonly problem: string;
  readonly remedy: string;
}

/** Reports a mistake in an attribute, or in one of its keys. */
export function reportAttribute({ owner, name }: WrittenAttribute, { key, problem, remedy }: Mistake, { problems }: Resolution): undefined {
  problems.report(owner.source, key === '' ? `attributes.${name}` : `attributes.${name}.${key}`, problem, remedy);
  return undefined;
}

/** Reports a mistake with which Strapi starts. Returns whether the attribute is served. */
export function questionAttribute({ owner, name }: WrittenAttribute, { key, problem, remedy }: Mistake, { problems }: Resolution): boolean {
  return problems.question(owner.source, key === '' ? `attributes.${name}` : `attributes.${name}.${key}`, problem, remedy);
}

/** `did you mean "x"?` if one of the known words is similar, otherwise the general advice. */
export function suggest(word: unknown, known: Iterable<string>, otherwise: string): string {
  const meant = typeof word === 'string' ? nearest(word, known) : undefined;
  return meant === undefined ? otherwise : `did you mean ${JSON.stringify(meant)}?`;
}
