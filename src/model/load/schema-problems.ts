import type { ModelError } from '../content-model.ts';

/** Gathers what is wrong, so that a person sees all of it at once instead of one thing a start. */
export class Problems {
  readonly errors: ModelError[] = [];
  readonly warnings: ModelError[] = [];
  readonly #asStrapi: boolean;

  /** `asStrapi`: mistakes with which Strapi starts are served. */
  constructor(asStrapi: boolean) {
    this.#asStrapi = asStrapi;
  }

  report(file: string, path: string, problem: string, remedy: string): void {
    this.errors.push({ file, path, problem, remedy });
  }

  /** Reports what Strapi starts with: a warning where the project is served as Strapi serves it, a mistake otherwise. Returns whether it is served. */
  question(file: string, path: string, problem: string, remedy: string): boolean {
    (this.#asStrapi ? this.warnings : this.errors).push({ file, path, problem, remedy });
    return this.#asStrapi;
  }
}
