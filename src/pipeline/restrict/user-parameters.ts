/** The user's values that restrictions name, as parameters of a plan, so that users share it. With
 *  a value that is not read as a comparison or a pattern, the plan fits only users with this
 *  value. */
import type { SqlValue } from '../../dialects/dialect.ts';
import type { UserValues } from '../../rights/restrictions.ts';
import { PlanParameter, type Slots } from '../../sql/plan-parameter.ts';
import type { PlanFit, Reading } from '../parse/plan-parameters.ts';

interface Use {
  readonly name: string;
  /** Returns false if the plan does not fit the value. */
  readonly bind: (text: string, bound: SqlValue[]) => boolean;
}

/** The approximate number of characters that a parameter takes in memory. */
const perUse = 300;

export class UserParameters {
  readonly #user: UserValues;
  readonly #slots: Slots;
  readonly #uses: Use[] = [];
  /** How often each value was read without becoming a parameter. */
  readonly #otherReads = new Map<string, number>();
  readonly #fixed = new Set<string>();

  constructor(user: UserValues, slots: Slots) {
    this.#user = user;
    this.#slots = slots;
  }

  /** Notes that the value was read. `value` is that of the restriction. */
  read(name: string, value: string): void {
    // A plan for one caller would be bound to the values of another.
    if (this.#user.get(name) !== value) throw new Error('a restriction has values of another user than the caller');
    this.#count(name, 1);
  }

  /** Makes the value a parameter where the plan uses it. `example` is the value of this user. */
  parameterize<T extends SqlValue>(name: string, example: T, { read }: Reading<T>): T | PlanParameter<T> {
    const parameter = new PlanParameter<T>(example, this.#slots.reserve);
    const bind = (text: string, bound: SqlValue[]) => {
      const value = read(text);
      return value !== undefined && parameter.bind(value, bound);
    };
    this.#uses.push({ name, bind });
    this.#count(name, -1);
    return parameter;
  }

  /** The plan fits only users with these values: a restriction could not be read with others. */
  fix(names: Iterable<string>): void {
    for (const name of names) this.#fixed.add(name);
  }

  /** Adds the user's values to the fit of the query. */
  fit(query: PlanFit): PlanFit {
    const uses = this.#uses;
    for (const [name, count] of this.#otherReads) if (count !== 0) this.#fixed.add(name);
    const fixed = [...this.#fixed].map((name) => [name, this.#user.get(name)] as const);
    if (uses.length === 0 && fixed.length === 0) return query;
    return {
      fitsShape: query.fitsShape,
      size: query.size + perUse * (uses.length + fixed.length),
      bindings(texts, user) {
        const bindings = query.bindings(texts, user);
        if (bindings === undefined || fixed.some(([name, value]) => user.get(name) !== value)) return undefined;
        const values = [...bindings.values];
        const fits = uses.every(({ name, bind }) => {
          const text = user.get(name);
          return text !== undefined && bind(text, values);
        });
        return fits ? { ...bindings, values } : undefined;
      },
    };
  }

  #count(name: string, by: number): void {
    this.#otherReads.set(name, (this.#otherReads.get(name) ?? 0) + by);
  }
}
