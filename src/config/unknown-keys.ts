/** Reports unknown keys of `lectern.config.json`, each with the key that was probably meant. */
import { isObject, type JsonObject } from '../text/json.ts';
import { nearest } from '../text/nearest.ts';
import { removedSettings } from './removed-settings.ts';
import { placedSettings } from './settings.ts';

const fileSettings = placedSettings.filter((placed) => !placed.setting.secret);
const knownPaths = fileSettings.map((placed) => placed.path);
const sectionsOf = (paths: readonly string[]) =>
  new Set(paths.filter((path) => path.includes('.')).map((path) => path.slice(0, path.indexOf('.'))));
const sections = sectionsOf(knownPaths);
const removedPaths = removedSettings.map(({ path }) => path);
const allSections = sectionsOf([...placedSettings.map((placed) => placed.path), ...removedPaths]);
const secrets = new Map(
  placedSettings.filter((placed) => placed.setting.secret).map((placed) => [placed.path, placed.variables.join(' or ')]),
);

/** Roles and rights are not settings; `permissions/` reads them. */
const declaredRights = 'permissions';

export function unknownKeys(file: JsonObject): readonly string[] {
  return Object.entries(file).flatMap(([key, value]) => {
    if ([...knownPaths, ...removedPaths, declaredRights].includes(key)) return [];
    if (!allSections.has(key)) return [unknownKey(key, isObject(value) ? [...sections] : [...knownPaths, ...sections])];
    if (!isObject(value)) return [`${key} is ${JSON.stringify(value)}, but must be an object with keys such as ${insideOf(key)[0]}`];
    return Object.keys(value)
      .map((inner) => `${key}.${inner}`)
      .flatMap((path) => ([...knownPaths, ...removedPaths].includes(path) ? [] : [unknownKey(path, insideOf(key))]));
  });
}

/** Suggests a similar key, or else lists all keys. Keys of secrets are refused, because the
 *  file is under version control. */
function unknownKey(path: string, candidates: readonly string[]): string {
  const variable = secrets.get(path);
  if (variable !== undefined) return `${path} must not be in this file, which others can read; set ${variable} in the environment or .env`;
  const meant = sameName(path) ?? nearest(path, candidates) ?? nearest(path, knownPaths);
  return meant === undefined
    ? `${path} is an unknown key; the known ones here are ${candidates.filter((candidate) => !candidate.includes('.') || path.includes('.')).join(', ')}`
    : `${path} is an unknown key; did you mean ${meant}?`;
}

const insideOf = (section: string) => knownPaths.filter((path) => path.startsWith(`${section}.`));

/** Finds the right path of a key in the wrong object: `maxLimit` at the
 *  top instead of inside `api`. */
const sameName = (path: string) => knownPaths.find((known) => lastName(known) === lastName(path));
const lastName = (path: string) => path.slice(path.lastIndexOf('.') + 1);
