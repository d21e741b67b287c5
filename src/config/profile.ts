import { isObject, type JsonObject } from '../text/json.ts';

/** The profile sets the defaults of `policies`. */
export type Profile = 'specification' | 'strapi';

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
