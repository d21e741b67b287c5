/** The states that each work and each file may have, after writes that were acknowledged and writes without a response. */

/** Locale and status of the forms of a work. */
export const places = ['en.draft', 'en.published', 'de.draft', 'de.published'];

export const sameState = (a, b) => places.every((place) => a[place] === b[place]);
const absent = {};

/** Within this time a server finishes a write whose client has hung up; an upload makes images meanwhile. Milliseconds. */
const finishingTime = 15_000;

/** Whether a write without a response may still be under way. `leftAt`: when its client stopped waiting. */
export const mayFinish = ({ leftAt }) => leftAt !== undefined && performance.now() - leftAt < finishingTime;

export class Records {
  /** Counts acknowledgements, so that a read knows which of them came before it. */
  clock = 0;
  acknowledged = 0;
  unanswered = 0;
  #forms = 0;
  #names = 0;
  /** Works by key; deleted ones stay until the next check. */
  works = new Map();
  /** @type {Map<string, {name: string, bytes: Buffer, id?: number, url?: string, possible: Set<'there'|'gone'>, isBusy: boolean, leftAt?: number}>} */
  files = new Map();
  /** The locales that each write changes and the state that it makes, whether or not it was acknowledged. `isStored`: undefined until that is known. */
  changes = [];
  slots;

  constructor(slots) {
    this.slots = Array.from({ length: slots }, () => undefined);
  }

  nextForm = () => ++this.#forms;
  nextName = (end) => `file-${++this.#names}${end}`;

  /** A new work in a slot. */
  add(slot) {
    const work = { key: `w${slot}x${this.nextForm()}`, slot, id: undefined, isBusy: false, versions: [{ state: absent, at: this.clock }] };
    this.slots[slot] = work;
    this.works.set(work.key, work);
    return work;
  }

  /** The last state that was acknowledged. */
  stateOf = (work) => work.versions.findLast(({ at }) => at !== undefined).state;

  /** One write at a time changes a work; after a write without a response, none does until a check shows its result.
   *  @returns functions of which one is called with the result of the write */
  begin(work, state) {
    const before = work.versions.at(-1).state;
    const locales = ['en', 'de'].filter((locale) => places.some((place) => place.startsWith(locale) && before[place] !== state[place]));
    const change = { work, locales, state, isAcknowledged: false, isStored: undefined };
    this.changes.push(change);
    const version = { state, at: undefined, change };
    work.versions.push(version);
    // No read takes as long as so many writes.
    if (work.versions.length > 400) work.versions.splice(0, 200);
    work.isBusy = true;
    return {
      acknowledge: (id) => {
        version.at = ++this.clock;
        change.isAcknowledged = true;
        change.isStored = true;
        this.acknowledged++;
        work.id ??= id;
        work.isBusy = false;
        if (places.every((place) => state[place] === undefined)) this.slots[work.slot] = undefined;
      },
      refuse: () => {
        work.versions.pop();
        work.isBusy = false;
      },
      leave: () => {
        this.unanswered++;
        work.leftAt = performance.now();
      },
    };
  }

  /** The states that a read may show, if it began at this time and has just ended. */
  allowed(work, clock) {
    const known = work.versions.findLastIndex(({ at }) => at !== undefined && at <= clock);
    return work.versions.slice(Math.max(0, known)).map(({ state }) => state);
  }

  /** Why a read of this place is wrong; undefined if it is not. */
  staleness(key, clock, place, n) {
    const work = this.works.get(key);
    if (work === undefined) return `${key} is unknown`;
    const states = this.allowed(work, clock);
    if (states.some((state) => state[place] === n)) return undefined;
    return `stale: ${key} ${place} shows ${n} instead of ${states.map((state) => state[place]).join(' or ')}`;
  }

  /** After a check: sets the state of a work to what is stored. */
  settle(work, state, id) {
    const underWay = mayFinish(work) ? work.versions.filter(({ at }) => at === undefined) : [];
    for (const version of work.versions)
      if (version.at === undefined && !underWay.includes(version)) version.change.isStored = sameState(version.state, state);
    work.versions = [{ state, at: this.clock }, ...underWay];
    work.id = id;
    work.isBusy = underWay.length > 0;
    if (!work.isBusy) work.leftAt = undefined;
    if (id === undefined && !work.isBusy) {
      this.works.delete(work.key);
      if (this.slots[work.slot] === work) this.slots[work.slot] = undefined;
    }
  }
}
