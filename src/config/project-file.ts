/** The JSON files at the top of a project: `lectern.config.json` and `package.json`. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isNoFile, messageOf } from '../errors/system-error.ts';
import { isObject, type JsonObject, parseJson } from '../text/json.ts';

export type ProjectFile = { readonly ok: true; readonly object: JsonObject } | { readonly ok: false; readonly problem: string };

/** A missing file counts as an empty object. */
export function readProjectFile(dir: string, name: string): ProjectFile {
  let text: string;
  try {
    text = readFileSync(join(dir, name), 'utf8');
  } catch (error) {
    if (isNoFile(error)) return { ok: true, object: {} };
    return { ok: false, problem: `${name} cannot be read: ${messageOf(error)}` };
  }
  // A command whose output was redirected to the file has failed (`lectern permissions export`).
  if (text.trim() === '') return { ok: false, problem: `${name} is empty: write into it, or remove it` };
  const parsed = parseJson(text);
  if (!parsed.ok) return { ok: false, problem: `${name}:${parsed.position.line}:${parsed.position.column} is not JSON: ${parsed.reason}` };
  if (!isObject(parsed.value)) return { ok: false, problem: `${name} must hold one JSON object, between { and }` };
  return { ok: true, object: parsed.value };
}
