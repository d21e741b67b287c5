import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Position, positionsIn } from '../../text/json-position.ts';
import type { ModelError, Uid } from '../content-model.ts';
import type { Path } from '../schema-file/read-keys.ts';

/** Collects the mistakes in schema files, so that a user sees all of them at once. */
export class SchemaProblems {
  readonly errors: ModelError[] = [];
  readonly warnings: ModelError[] = [];
  /** Types and components with unreadable files. It is no mistake to name one of them. */
  readonly unreadable = new Set<Uid>();
  readonly #dir: string;
  readonly #asStrapi: boolean;
  readonly #positions = new Map<string, (path: Path) => Position | undefined>();

  /** `dir`: the project folder. `asStrapi`: mistakes with which Strapi starts are warnings. */
  constructor(dir: string, asStrapi: boolean) {
    this.#dir = dir;
    this.#asStrapi = asStrapi;
  }

  /** Reports a mistake that prevents a start. `position`: that of `path` by default. */
  report(file: string, path: Path, problem: string, remedy: string, position?: Position): void {
    this.errors.push(this.#describe(file, path, problem, remedy, position));
  }

  /** Reports a mistake with which Strapi starts: a warning in profile `strapi`, an error otherwise.
   *  Returns whether the project is served nevertheless. */
  question(file: string, path: Path, problem: string, remedy: string): boolean {
    (this.#asStrapi ? this.warnings : this.errors).push(this.#describe(file, path, problem, remedy));
    return this.#asStrapi;
  }

  /** Reports a mistake that changes nothing but its own effect: a warning in each profile. */
  warn(file: string, path: Path, problem: string, remedy: string): void {
    this.warnings.push(this.#describe(file, path, problem, remedy));
  }

  #describe(file: string, path: Path, problem: string, remedy: string, position?: Position): ModelError {
    return { file, path: textOf(path), position: position ?? this.#positionOf(file, path), problem, remedy };
  }

  /** A file is read again for its positions, since hardly any has a mistake. */
  #positionOf(file: string, path: Path): Position | undefined {
    let find = this.#positions.get(file);
    if (find === undefined) {
      find = this.#finderOf(file);
      this.#positions.set(file, find);
    }
    return find(path);
  }

  #finderOf(file: string): (path: Path) => Position | undefined {
    try {
      return positionsIn(readFileSync(join(this.#dir, file), 'utf8').replace(/^\ufeff/, ''));
    } catch {
      // Built-in types have no file, and a mistake may be a missing one.
      return () => undefined;
    }
  }
}

/** `attributes.sections.components[1]` */
const textOf = (path: Path): string =>
  path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');
