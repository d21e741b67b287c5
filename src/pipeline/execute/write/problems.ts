/** Everything that is wrong with a body, reported together. */
import { ApiError } from '../../../errors/api-error.ts';
import type { ValueProblem } from '../../../model/attributes/attribute-type.ts';

interface Located {
  readonly path: readonly string[];
  readonly message: string;
  readonly name: 'ValidationError';
  readonly value?: unknown;
}

export class Problems {
  readonly #found: Located[] = [];
  /** What Strapi finds only when nothing else is wrong: formats of dates and times, and components of other entries. */
  #later: ApiError | undefined;
  #explanation: string | undefined;

  get none(): boolean {
    return this.#found.length === 0 && this.#later === undefined;
  }

  add(path: readonly string[], message: string, ...value: readonly [unknown?]): void {
    const found: Located = { path, message, name: 'ValidationError' };
    this.#found.push(value.length === 0 ? found : { ...found, value: value[0] });
  }

  /** A problem of a value at `path`; `{path}` in its message is the written form of the place. */
  addValue(path: readonly string[], problem: ValueProblem): void {
    const whole = [...path, ...problem.path];
    // What follows may be of the body, and has braces of its own.
    const message = problem.message.replace('{path}', () => (whole.length === 0 ? 'this' : writtenPath(whole)));
    if (problem.unlocated) {
      this.later(ApiError.of('body.values', { message }, { path: whole }));
      return;
    }
    if ('value' in problem) this.add(whole, message, problem.value);
    else this.add(whole, message);
  }

  /** Adds what others found in places where nothing was found yet. */
  addFurther(further: Problems): void {
    const places = new Set(this.#found.map(({ path }) => path.join('.')));
    this.#found.push(...further.#found.filter(({ path }) => !places.has(path.join('.'))));
  }

  /** Says what the several have in common, where that helps more than their number. */
  explain(explanation: string): void {
    this.#explanation = explanation;
  }

  later(error: ApiError): void {
    this.#later ??= error;
  }

  throwIfAny(): void {
    const [first, ...others] = this.#found;
    if (first !== undefined) {
      const several = `${this.#found.length} errors occurred${this.#explanation === undefined ? '' : `: ${this.#explanation}`}`;
      const message = others.length === 0 ? first.message : several;
      throw ApiError.of('body.values', { message }, { errors: this.#found });
    }
    if (this.#later !== undefined) throw this.#later;
  }
}

/** `offers[0].label` */
export const writtenPath = (path: readonly string[]): string =>
  path.map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`)).join('');
