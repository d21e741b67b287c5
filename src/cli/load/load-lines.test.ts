/** A group of lines is bounded by their number and by their length. */
import { describe, expect, it } from 'vitest';
import type { ContentType, ScalarAttribute } from '../../model/content-model.ts';
import { type LoadedType, lineGroups } from './load-lines.ts';

const type = { uid: 'api::tag.tag', draftAndPublish: false, localized: false, attributes: new Map() } as Partial<ContentType>;
const loaded = { type, by: { name: 'slug' } as ScalarAttribute } as LoadedType;

async function groups(lengths: readonly number[]): Promise<readonly (readonly number[])[]> {
  async function* texts() {
    for (const [at, length] of lengths.entries()) yield JSON.stringify({ slug: String(at), name: 'x'.repeat(length) });
  }
  const found: number[][] = [];
  for await (const { lines } of lineGroups(texts(), loaded, 3, 10)) found.push(lines.map(({ number }) => number));
  return found;
}

describe('groups of lines', () => {
  it('have as many lines as are given', async () => {
    expect(await groups([1, 1, 1, 1])).toEqual([[1, 2, 3], [4]]);
  });

  it('end after a line that makes them long', async () => {
    expect(await groups([1, 4_000_000, 1, 1])).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });
});
