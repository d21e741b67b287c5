import type { ModelError } from '../content-model.ts';

/** Collects the mistakes in schema files, so that a user sees all of them at once. */
export class SchemaProblems {
  readonly errors: ModelError[] = [];
  readonly warnings: ModelError[] = [];
  readonly #asStrapi: boolean;

  /** `asStrapi`: mistakes with which Strapi starts become warnings. */
  constructor(asStrapi: boolean) {
    this.#asStrapi = asStrapi;
  }

  report(file: string, path: string, problem: string, remedy: string): void {
    this.errors.push({ file, path, problem, remedy });
  }

  /** Reports a mistake with which Strapi starts: a warning in profile `strapi`, an error otherwise. Returns whether the project is served
   *  nevertheless. */
  question(file: string, path: string, problem: string, remedy: string): boolean {
    (this.#asStrapi ? this.warnings : this.errors).push({ file, path, problem, remedy });
    return this.#asStrapi;
  }
}
