/** Work on the same thing, one after the other. */
export type InTurn = <T>(id: number, work: () => Promise<T>) => Promise<T>;

export function createTurns(): InTurn {
  const last = new Map<number, Promise<unknown>>();
  return async (id, work) => {
    const before = last.get(id);
    const mine = before === undefined ? work() : before.then(work, work);
    last.set(id, mine);
    try {
      return await mine;
    } finally {
      if (last.get(id) === mine) last.delete(id);
    }
  };
}
