import type { SqlValue } from '../dialects/dialect.ts';

/** Makes the values that are bound for a value; undefined if they need another SQL text. */
type Fill<T> = (value: T) => readonly SqlValue[] | undefined;

/** Counts the slots of a plan. */
export class Slots {
  count = 0;

  /** Returns the index of the first of so many new slots. */
  readonly reserve = (count: number): number => {
    this.count += count;
    return this.count - count;
  };
}

interface NamedSlots<T> {
  readonly name: string;
  readonly first: number;
  readonly fill: Fill<T>;
}

/** A value of a request that is a parameter of its plan: statements bind it to slots, and so serve
 *  requests with other values as well. */
export class PlanParameter<T extends SqlValue = SqlValue> {
  /** The value of the request that the statements are made for. */
  readonly value: T;
  readonly #reserve: (count: number) => number;
  readonly #slots: NamedSlots<T>[] = [];

  /** `reserve` returns the index of the first of so many new slots. */
  constructor(value: T, reserve: (count: number) => number) {
    this.value = value;
    this.#reserve = reserve;
  }

  /** The index of the first slot that `fill` fills. A name always stands for the same slots:
   *  several statements share them. */
  slots(name: string, count: number, fill: Fill<T>): number {
    const present = this.#slots.find((slots) => slots.name === name);
    if (present !== undefined) return present.first;
    const first = this.#reserve(count);
    this.#slots.push({ name, first, fill });
    return first;
  }

  /** Writes another value's parameters into its slots. Returns false if it does not fit. */
  bind(value: T, bound: SqlValue[]): boolean {
    for (const { first, fill } of this.#slots) {
      const filled = fill(value);
      if (filled === undefined) return false;
      for (let index = 0; index < filled.length; index++) bound[first + index] = filled[index] as SqlValue;
    }
    return true;
  }
}
