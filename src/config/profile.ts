import { isObject, type JsonObject } from '../text/json.ts';

/** The profile sets the defaults of `policies`. */
export type Profile = 'specification' | 'strapi';

/** What a profile means, as a sentence without its full stop. */
export const profileSummaries: Readonly<Record<Profile, string>> = {
  specification: 'invalid queries and bodies are refused, PUT must contain every field, and a list has either pages or populated relations',
  strapi:
    'responses are those of Strapi 5: PUT changes the fields that it names, populated lists have pages, and whoever may read a type may read its drafts',
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
