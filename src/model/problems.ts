import type { ModelError } from './content-model.ts';

/** Gathers what is wrong, so that a person sees all of it at once instead of one thing a start. */
export class Problems {
  readonly errors: ModelError[] = [];

  report(file: string, path: string, problem: string, remedy: string): void {
    this.errors.push({ file, path, problem, remedy });
  }
}
