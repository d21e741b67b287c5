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
  /** Mistakes with which Strapi starts become warnings, and attributes are served as in Strapi. */
  readonly asStrapi: boolean;
}

/** An attribute as its schema file has it. Its mistakes are reported with one of its keys, a path
 *  to a value inside it, or an empty path for the attribute itself. */
export class WrittenAttribute {
  readonly owner: Draft;
  readonly name: string;
  readonly json: JsonObject;
  readonly #problems: SchemaProblems;

  constructor(owner: Draft, name: string, json: JsonObject, problems: SchemaProblems) {
    this.owner = owner;
    this.name = name;
    this.json = json;
    this.#problems = problems;
  }

  /** Reports a mistake with which neither Lectern nor Strapi starts. */
  report(at: string | Path, problem: string, remedy: string): undefined {
    this.#problems.report(this.owner.source, this.#pathTo(at), problem, remedy);
    return undefined;
  }

  /** Reports a mistake with which Strapi starts. Returns whether the attribute is served. */
  question(at: string | Path, problem: string, remedy: string): boolean {
    return this.#problems.question(this.owner.source, this.#pathTo(at), problem, remedy);
  }

  /** Reports a mistake that changes nothing but its own effect. */
  warn(at: string | Path, problem: string, remedy: string): void {
    this.#problems.warn(this.owner.source, this.#pathTo(at), problem, remedy);
  }

  /** Returns the values of the keys, and warns of those that are wrong. */
  read<Keys extends Readonly<Record<string, Key>>>(keys: Keys): ValuesOf<Keys> {
    return readKeys({ keys, open: false }, this.json, (path, problem, remedy) => this.warn(path, problem, remedy));
  }

  #pathTo(at: string | Path): Path {
    return ['attributes', this.name, ...(typeof at === 'string' ? [at] : at)];
  }
}
