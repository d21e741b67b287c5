import { describe, expect, it } from 'vitest';
import { newDocumentId } from './document-id.ts';

describe('newDocumentId', () => {
  const ids = Array.from({ length: 20_000 }, newDocumentId);

  it('makes 24 letters and digits, a letter first', () => {
    expect(ids.filter((id) => !/^[a-z][a-z0-9]{23}$/.test(id))).toEqual([]);
  });

  it('never makes the same twice', () => {
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('uses every character about equally often', () => {
    const counts = new Map<string, number>();
    for (const character of ids.flatMap((id) => [...id.slice(1)])) counts.set(character, (counts.get(character) ?? 0) + 1);
    const expected = (ids.length * 23) / 36;
    expect(counts.size).toBe(36);
    // Six standard deviations.
    for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(6 * Math.sqrt(expected));
  });
});
