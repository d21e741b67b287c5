/** Makes a uid as the server does for a new document; loaded when the button is used. */
import type { DescribedAttribute } from '../../../../http/endpoints/me/described-me.ts';
import { slugOf, withSuffix } from '../../../../text/uid-text.ts';

interface Making {
  readonly attribute: Pick<DescribedAttribute, 'maxLength'>;
  /** For a text without a letter that has a Latin form. */
  readonly fallback: string;
  /** Resolves with those that other documents have. */
  readonly isTaken: (candidates: readonly string[]) => Promise<ReadonlySet<string>>;
}

/** Suffixes that are looked up at once: none, and -1 to -23. */
const suffixes = 24;

/** Resolves with the first one that is free; without a suffix if all are taken, which is then said
 *  at the field. */
export async function freeUid(text: string, { attribute, fallback, isTaken }: Making): Promise<string> {
  const made = slugOf(text) || fallback;
  const candidates = Array.from({ length: suffixes }, (_, index) => withSuffix(made, index === 0 ? '' : `-${index}`, attribute.maxLength));
  const taken = await isTaken(candidates);
  return candidates.find((each) => !taken.has(each)) ?? candidates[0] ?? made;
}
