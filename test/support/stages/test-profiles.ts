/** Tables of cases with what each profile makes of them. */
import { describe, expect, it } from 'vitest';
import type { Profile } from '../../../src/config/profile.ts';
import { unindented } from './read-stages.ts';

interface Case {
  readonly it: string;
  readonly gives: string;
}

/** Tests each case with the stages of its profile. */
export function testProfiles<Stages, C extends Case>(
  Stages: new (profile: Profile) => Stages,
  cases: Readonly<Record<Profile, readonly C[]>>,
  print: (stages: Stages, input: C) => string,
): void {
  describe.each(['specification', 'strapi'] as const)('profile %s', (profile) => {
    const stages = new Stages(profile);

    it.each(cases[profile])('$it', (each) => {
      expect(print(stages, each)).toBe(unindented(each.gives));
    });
  });
}
