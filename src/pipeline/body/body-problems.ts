/** Collects the problems of a body: the first ones are reported in full, others as a number. */
import { ApiError } from '../../errors/api-error.ts';
import type { ListedProblem, ProblemHelp } from '../../errors/error-body.ts';
import { maxProblems } from '../../errors/error-body.ts';
import type { ValueProblem } from '../../model/attributes/attribute-type.ts';
import { requiredHelp } from '../../model/attributes/required.ts';
import type { Attribute } from '../../model/content-model.ts';

/** A value that is computed only for a listed problem: a body can have half a million problems. */
type Lazy<T> = T | (() => T);
const made = <T extends string | object>(lazy: Lazy<T>): T => (typeof lazy === 'function' ? (lazy as () => T)() : lazy);

/** Maximum of characters of all listed messages, paths and values. Beyond it, values are omitted
 *  and further problems only counted. */
const maxCharacters = 200_000;

export class BodyProblems {
  readonly #listed: ListedProblem[] = [];
  #charactersLeft = maxCharacters;
  #isFull = false;
  /** The number of problems that are not listed. */
  #more = 0;
  #stopped = false;
  /** Strapi finds it only if all else is right: a malformed time, or another entry's component. */
  #later: ApiError | undefined;
  #explanation: string | undefined;

  get none(): boolean {
    return this.#listed.length === 0 && this.#more === 0 && !this.#stopped && this.#later === undefined;
  }

  /** True when no further problem is listed, so that values need not be read. A reader that skips
   *  values then calls `stop`. */
  get isFull(): boolean {
    return this.#isFull;
  }

  stop(): void {
    this.#stopped = true;
  }

  add(path: readonly string[], message: Lazy<string>, ...value: readonly [unknown?]): void {
    if (this.isFull) this.#more++;
    else this.#list({ path, message: made(message), name: 'ValidationError', ...(value.length === 0 ? {} : { value: value[0] }) });
  }

  /** Adds a required attribute that the body lacks. `draftsMay`: drafts may lack it. */
  addUndefined(path: readonly string[], attribute: Attribute, draftsMay: boolean): void {
    this.addValue(path, () => ({ path: [], message: '{path} must be defined.', help: requiredHelp(attribute, draftsMay) }));
  }

  /** Adds a problem whose message is Strapi's, with a plainer one. */
  addHelped(path: readonly string[], message: Lazy<string>, help: Lazy<ProblemHelp>, ...value: readonly [unknown?]): void {
    if (this.isFull) this.#more++;
    else {
      const located = { path, message: made(message), name: 'ValidationError', help: made(help) } as const;
      this.#list(value.length === 0 ? located : { ...located, value: value[0] });
    }
  }

  /** Adds a problem of a value at `path`, which replaces `{path}` in the message. */
  addValue(path: readonly string[], lazy: Lazy<ValueProblem>): void {
    if (this.isFull) {
      this.#more++;
      return;
    }
    const problem = made(lazy);
    const fullPath = [...path, ...problem.path];
    // Only the first `{path}`: the rest of the message may quote the body, with braces.
    const filled = (text: string) => text.replace('{path}', () => (fullPath.length === 0 ? 'this' : writtenPath(fullPath)));
    const message = filled(problem.message);
    if (problem.unlocated) {
      this.later(() => ApiError.of('body.values', { message }, { path: fullPath }));
      return;
    }
    this.#list({
      path: fullPath,
      message,
      name: 'ValidationError',
      ...('value' in problem ? { value: problem.value } : {}),
      ...(problem.help === undefined ? {} : { help: { message: filled(problem.help) } }),
    });
  }

  #list({ value, ...located }: ListedProblem): void {
    const size = located.message.length + located.path.join('.').length + (located.help?.message.length ?? 0);
    if (size > this.#charactersLeft && this.#listed.length > 0) {
      this.#isFull = true;
      this.#more++;
      return;
    }
    this.#charactersLeft -= size;
    const valueSize = sizeOf(value);
    const isShown = value !== undefined && valueSize <= this.#charactersLeft;
    if (isShown) this.#charactersLeft -= valueSize;
    this.#listed.push(isShown ? { ...located, value } : located);
    this.#isFull = this.#listed.length >= maxProblems;
  }

  /** Adds the problems of `further` at paths without a problem. */
  addFurther(further: BodyProblems): void {
    const listedPaths = new Set(this.#listed.map(({ path }) => path.join('.')));
    for (const each of further.#listed) {
      if (listedPaths.has(each.path.join('.'))) continue;
      if (this.isFull) this.#more++;
      else this.#list(each);
    }
    this.#more += further.#more;
    this.#stopped ||= further.#stopped;
  }

  /** Sets a text that explains several problems together. */
  explain(explanation: string): void {
    this.#explanation = explanation;
  }

  later(error: () => ApiError): void {
    this.#later ??= error();
  }

  throwIfAny(): void {
    const error = this.error();
    if (error !== undefined) throw error;
  }

  /** Returns the error for all problems; undefined when there is none. */
  error(): ApiError | undefined {
    const [first] = this.#listed;
    if (first !== undefined || this.#more > 0 || this.#stopped) {
      const isOne = first !== undefined && this.#listed.length === 1 && this.#more === 0 && !this.#stopped;
      const more = this.#more === 0 ? {} : { more: this.#more };
      const message = isOne ? first.message : this.#several();
      const help = isOne ? first.help?.message : undefined;
      return ApiError.of('body.values', { message, help }, { errors: this.#listed, ...more });
    }
    return this.#later;
  }

  #several(): string {
    const notListed =
      this.#more === 0 ? '' : `: the first ${this.#listed.length} are listed, and ${this.#more.toLocaleString('en')} more are not`;
    const unread = this.#stopped ? '; further values were not checked' : '';
    const explanation = this.#explanation === undefined ? '' : `: ${this.#explanation}`;
    return `${this.#listed.length + this.#more} errors occurred${notListed}${unread}${explanation}`;
  }
}

const sizeOf = (value: unknown): number => (typeof value === 'string' ? value.length : (JSON.stringify(value)?.length ?? 0));

/** Returns a path as text: `offers[0].label`. */
export const writtenPath = (path: readonly string[]): string =>
  path.map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`)).join('');
