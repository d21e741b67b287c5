import { isObject, type JsonObject } from '../text/json.ts';

/** The profile sets the defaults of `policies`. */
export type Profile = 'specification' | 'strapi';

/** What a profile means, as a sentence without its full stop. */
export const profileSummaries: Readonly<Record<Profile, string>> = {
  specification:
    'a query or body that makes no sense is refused with a message, PUT names every field, and a list has either pages or populated relations',
  strapi: 'requests are answered as by Strapi 5, PUT changes the fields that it names, and populated lists have pages',
};

const marker = '@strapi/strapi';

export interface DetectedProfile {
  readonly profile: Profile;
  readonly reason: string;
}

/** A project whose `package.json` depends on Strapi gets profile `strapi`. */
export function detectProfile(packageJson: JsonObject): DetectedProfile {
  const depends = [packageJson.dependencies, packageJson.devDependencies].some((group) => isObject(group) && Object.hasOwn(group, marker));
  return depends ? { profile: 'strapi', reason: `package.json depends on ${marker}` } : { profile: 'specification', reason: 'the default' };
}
