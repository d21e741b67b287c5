/** The components of a document. It has only what an operation refers to, directly or not. */
import type { Schema } from '../model/content-model.ts';
import type { JsonSchema, Parameter, Reference, Response } from './document-parts.ts';
import { nameOf } from './names.ts';

interface Part<T> {
  readonly name: string;
  readonly make: () => T;
  value?: T;
}

class Section<T> {
  readonly #kind: string;
  readonly #parts = new Map<string, Part<T>>();
  readonly #names = new Set<string>();
  readonly #waiting: Part<T>[] = [];

  constructor(kind: string) {
    this.#kind = kind;
  }

  /** `key` identifies the part; `name` gets a number where another part has that name. */
  ref(key: string, name: string, make: () => T): Reference {
    let part = this.#parts.get(key);
    if (part === undefined) {
      part = { name: unusedName(name, this.#names), make };
      this.#parts.set(key, part);
      this.#waiting.push(part);
    }
    return { $ref: `#/components/${this.#kind}/${part.name}` };
  }

  /** Makes the parts that wait; returns whether there was one. Chains of types can be long. */
  drain(): boolean {
    const any = this.#waiting.length > 0;
    for (let part = this.#waiting.pop(); part !== undefined; part = this.#waiting.pop()) part.value = part.make();
    return any;
  }

  finished(): Readonly<Record<string, T>> {
    const made = [...this.#parts.values()].map(({ name, value }) => [name, value as T] as const);
    return Object.fromEntries(made.sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

export class Components {
  readonly #schemas = new Section<JsonSchema>('schemas');
  readonly #parameters = new Section<Parameter>('parameters');
  readonly #responses = new Section<Response>('responses');

  schema(name: string, make: () => JsonSchema): Reference {
    return this.#schemas.ref(name, name, make);
  }

  /** A part that belongs to a type. Two types may have one name. */
  schemaOf(type: Schema, suffix: string, make: () => JsonSchema): Reference {
    return this.#schemas.ref(`${type.uid} ${suffix}`, `${nameOf(type)}${suffix}`, make);
  }

  parameter(name: string, make: () => Parameter): Reference {
    return this.#parameters.ref(name, name, make);
  }

  parameterOf(type: Schema, suffix: string, make: () => Parameter): Reference {
    return this.#parameters.ref(`${type.uid} ${suffix}`, `${nameOf(type)}${suffix}`, make);
  }

  response(name: string, make: () => Response): Reference {
    return this.#responses.ref(name, name, make);
  }

  finished() {
    while ([this.#responses.drain(), this.#parameters.drain(), this.#schemas.drain()].some(Boolean));
    return { schemas: this.#schemas.finished(), parameters: this.#parameters.finished(), responses: this.#responses.finished() };
  }
}

/** `Article`, or `Article2` if that is taken. */
export function unusedName(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name}${number}`;
  taken.add(free);
  return free;
}
