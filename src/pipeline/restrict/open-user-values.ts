/** The user's values that restrictions name and a plan leaves open, so that users share it. A value
 *  that is not read as a comparison or a pattern closes the plan, which then fits only users with
 *  this value. */
import type { SqlValue } from '../../dialects/dialect.ts';
import type { UserValues } from '../../rights/restrictions.ts';
import { Given, type Slots } from '../../sql/given.ts';
import type { PlanFit, Reading } from '../parse/given-values.ts';

interface Use {
  readonly name: string;
  /** Returns false if the plan does not fit the value. */
  readonly bind: (text: string, bound: SqlValue[]) => boolean;
}

/** The approximate number of characters that an open value takes in memory. */
const perUse = 300;

export class OpenUserValues {
  readonly #user: UserValues;
  readonly #slots: Slots;
  readonly #uses: Use[] = [];
  /** How often each value was read, less how often it was opened. */
  readonly #unopened = new Map<string, number>();
  readonly #closed = new Set<string>();

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

  /** Leaves the value open where the plan uses it. `example` is the value of this user. */
  open<T extends SqlValue>(name: string, example: T, { read }: Reading<T>): T | Given<T> {
    const given = new Given<T>(example, this.#slots.reserve);
    const bind = (text: string, bound: SqlValue[]) => {
      const value = read(text);
      return value !== undefined && given.bind(value, bound);
    };
    this.#uses.push({ name, bind });
    this.#count(name, -1);
    return given;
  }

  /** Closes the plan for these values: a restriction could not be read while they were open. */
  close(names: Iterable<string>): void {
    for (const name of names) this.#closed.add(name);
  }

  /** Adds the user's values to the fit of the query. */
  fit(query: PlanFit): PlanFit {
    const uses = this.#uses;
    for (const [name, count] of this.#unopened) if (count !== 0) this.#closed.add(name);
    const closed = [...this.#closed].map((name) => [name, this.#user.get(name)] as const);
    if (uses.length === 0 && closed.length === 0) return query;
    return {
      isOpen: query.isOpen,
      size: query.size + perUse * (uses.length + closed.length),
      bindings(texts, user) {
        const bindings = query.bindings(texts, user);
        if (bindings === undefined || closed.some(([name, value]) => user.get(name) !== value)) return undefined;
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
    this.#unopened.set(name, (this.#unopened.get(name) ?? 0) + by);
  }
}
