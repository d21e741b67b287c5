import type { JsonObject } from '../../text/json.ts';
import { nearest } from '../../text/nearest.ts';
import type { Uid } from '../content-model.ts';
import type { Wires } from './connect-relations.ts';
import type { CustomFields } from './custom-fields.ts';
import type { Problems } from './schema-problems.ts';
import type { Draft } from './unresolved-model.ts';

/** What resolving one attribute may look at. */
export interface Resolution {
  readonly drafts: ReadonlyMap<Uid, Draft>;
  readonly wires: Wires;
  readonly customFields: CustomFields;
  readonly problems: Problems;
  /** Mistakes with which Strapi starts are served as Strapi does. */
  readonly asStrapi: boolean;
}

/** An attribute as written, and where. */
export interface WrittenAttribute {
  readonly owner: Draft;
  readonly name: string;
  readonly json: JsonObject;
}

/** Reports something about an attribute, or about one of its keys. */
export function reportAttribute(
  { owner, name }: WrittenAttribute,
  key: string,
  problem: string,
  remedy: string,
  { problems }: Resolution,
): undefined {
  problems.report(owner.source, key === '' ? `attributes.${name}` : `attributes.${name}.${key}`, problem, remedy);
  return undefined;
}

/** Reports something that Strapi starts with; returns whether it is served. */
export function questionAttribute(
  { owner, name }: WrittenAttribute,
  key: string,
  problem: string,
  remedy: string,
  { problems }: Resolution,
): boolean {
  return problems.question(owner.source, key === '' ? `attributes.${name}` : `attributes.${name}.${key}`, problem, remedy);
}

/** `did you mean "x"?` when one of the known words is near, otherwise the general advice. */
export function suggest(word: unknown, known: Iterable<string>, otherwise: string): string {
  const meant = typeof word === 'string' ? nearest(word, known) : undefined;
  return meant === undefined ? otherwise : `did you mean ${JSON.stringify(meant)}?`;
}
