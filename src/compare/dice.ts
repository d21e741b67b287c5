/** Chance that the same seed repeats. */
export type Dice = ReturnType<typeof diceOf>;

/** The generator mulberry32 of Tommy Ettinger. */
export function diceOf(seed: number) {
  let state = seed >>> 0;
  /** From 0 to less than 1. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  /** From 0 to less than `end`. */
  const below = (end: number): number => Math.floor(next() * end);
  const pickOrNone = <Item>(items: readonly Item[]): Item | undefined => items[below(items.length)];
  return {
    next,
    below,
    chance: (share: number): boolean => next() < share,
    pickOrNone,
    /** Throws for an empty list. */
    pick<Item>(items: readonly Item[]): Item {
      const [item] = items.slice(below(items.length));
      if (item === undefined) throw new RangeError('nothing to pick from');
      return item;
    },
    /** One to `max` of them; none of an empty list. */
    some<Item>(items: readonly Item[], max: number): readonly Item[] {
      const rest = [...items];
      const count = Math.min(rest.length, 1 + below(max));
      return Array.from({ length: count }, () => rest.splice(below(rest.length), 1)).flat();
    },
  };
}
