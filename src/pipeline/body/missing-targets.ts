import type { Target } from '../parse/body/types.ts';
import { type BodyProblems, writtenPath } from './body-problems.ts';

const invalidRelations = 'Invalid relations';
const targets =
  'a documentId, {"documentId": "…"}, {"id": 1}, or a list of these; with several target types, an object with __type as well';

/** The targets of one type that do not exist. */
interface MissingIds {
  readonly ids: Set<number>;
  /** The attribute that names the first of them. */
  readonly path: readonly string[];
}

/** Collects missing relation targets of a body. Strapi reports them after all other problems, with
 *  one message for each type. */
export class MissingTargets {
  readonly #ids = new Map<string, MissingIds>();
  #unreadable: { readonly path: readonly string[]; readonly expected: string; readonly message: string } | undefined;

  add(target: Target, path: readonly string[]): void {
    if (target.by === 'id') {
      const missing = this.#ids.get(target.type) ?? { ids: new Set(), path };
      this.#ids.set(target.type, missing);
      missing.ids.add(target.id);
    } else this.addUnreadable(path, targets);
  }

  /** `message` is Strapi's for the value that cannot be read. */
  addUnreadable(path: readonly string[], expected: string, message = invalidRelations): void {
    this.#unreadable ??= { path, expected, message };
  }

  report(problems: BodyProblems): void {
    if (this.#unreadable !== undefined) {
      const { path, expected, message } = this.#unreadable;
      problems.addHelped([], message, { path, message: `${writtenPath(path)}: expected ${expected}` });
    }
    for (const [type, { ids, path }] of this.#ids) {
      const message = `${ids.size} relation(s) of type ${type} associated with this entity do not exist`;
      problems.addHelped([], message, { path, message: `${writtenPath(path)}: ${describeMissing([...ids], type)}` });
    }
  }
}

/** The maximum number of ids that a message names. */
const maxNamed = 10;

/** 0 for an impossible row id. A row that the caller may not find counts as missing, and the
 *  message must not distinguish them. */
function describeMissing(ids: readonly number[], type: string): string {
  const named = ids.filter((id) => id > 0);
  if (named.length < ids.length) return `a row id is a whole number from 1, and a documentId is a text (${type})`;
  const more = named.length > maxNamed ? ` and ${named.length - maxNamed} more` : '';
  return `there is no row of ${type} with the id ${named.slice(0, maxNamed).join(', ')}${more} that you may find`;
}
