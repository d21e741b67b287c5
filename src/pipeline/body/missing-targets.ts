import type { Target } from '../parse/body/types.ts';
import type { BodyProblems } from './body-problems.ts';

const invalidRelations = 'Invalid relations';

/** Collects relation targets of a body that do not exist. Strapi reports them after all other problems, with one message for each type. */
export class MissingTargets {
  readonly #ids = new Map<string, Set<number>>();
  /** Strapi's message for the first value that cannot be read. */
  #unreadable: string | undefined;

  add(target: Target): void {
    if (target.by === 'id') {
      const ids = this.#ids.get(target.type) ?? new Set();
      this.#ids.set(target.type, ids.add(target.id));
    } else this.addUnreadable();
  }

  addUnreadable(message = invalidRelations): void {
    this.#unreadable ??= message;
  }

  report(problems: BodyProblems): void {
    if (this.#unreadable !== undefined) problems.add([], this.#unreadable);
    for (const [type, ids] of this.#ids) {
      problems.add([], `${ids.size} relation(s) of type ${type} associated with this entity do not exist`);
    }
  }
}
