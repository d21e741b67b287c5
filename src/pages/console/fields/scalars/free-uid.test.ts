import { expect, it } from 'vitest';
import { freeUid } from './free-uid.ts';

const making = (taken: readonly string[], maxLength?: number) => ({
  attribute: maxLength === undefined ? {} : { maxLength },
  fallback: 'article',
  isTaken: async (candidates: readonly string[]) => new Set(candidates.filter((each) => taken.includes(each))),
});

it('makes a uid from a text, with a suffix if it is taken', async () => {
  expect(await freeUid('Fog over Škerra!', making([]))).toBe('fog-over-skerra');
  expect(await freeUid('Fog', making(['fog', 'fog-1']))).toBe('fog-2');
  expect(await freeUid('日本', making(['article']))).toBe('article-1');
  expect(await freeUid('Fog over Skerra', making(['fog-over'], 8))).toBe('fog-ov-1');
});
