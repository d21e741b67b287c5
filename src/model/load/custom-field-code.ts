/** Finds the base types of custom fields in the code that registers them: `strapi.customFields.register({ name: 'color', plugin: 'color-picker',
 *  type: 'string' })`. Code is read as text and never run, so only plain literals are found. */
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type JsonObject, objectAt, parseJson, stringAt } from '../../text/json.ts';
import { isScalarType } from '../scalar-types.ts';

/** At most this much of one plugin's code is read. */
const maximumFiles = 400;
const maximumFileBytes = 1_000_000;
const maximumBytes = 8_000_000;
const maximumDepth = 6;
/** The call of `register` is read up to this length, in characters. */
const maximumRegistration = 5000;

interface Registration {
  readonly name: string | undefined;
  readonly plugin: string | undefined;
  readonly type: string;
}

export class CustomFieldCode {
  readonly #dir: string;
  readonly #registrations = new Map<string, readonly Registration[]>();
  #packages: ReadonlyMap<string, string> | undefined;

  /** `dir` is the folder of the project. */
  constructor(dir: string) {
    this.#dir = dir;
  }

  /** The base type of `plugin::color-picker.color`; undefined if no code registers it. */
  typeOf(uid: string): string | undefined {
    const [, plugin, name] = /^plugin::([^.]+)\.(.+)$/.exec(uid) ?? [];
    if (plugin === undefined || name === undefined) {
      const own = /^global::(.+)$/.exec(uid)?.[1];
      return own === undefined ? undefined : this.#of('').find((each) => each.name === own)?.type;
    }
    const found = [...this.#of(plugin), ...this.#of('')].filter((each) => each.plugin === undefined || each.plugin === plugin);
    const exact = found.find((each) => each.name === name);
    if (exact !== undefined) return exact.type;
    // The name is often a constant from another file. If the plugin registers only one field, that field is meant.
    const [only, second] = this.#of(plugin);
    return only !== undefined && second === undefined && only.name === undefined ? only.type : undefined;
  }

  /** The registrations of a plugin; those of the project itself for the empty name. */
  #of(plugin: string): readonly Registration[] {
    let found = this.#registrations.get(plugin);
    if (found === undefined) {
      found = plugin === '' ? this.#inProject() : this.#inPlugin(plugin);
      this.#registrations.set(plugin, found);
    }
    return found;
  }

  #inProject(): Registration[] {
    return ['src/index.ts', 'src/index.js'].flatMap((file) => registrationsIn(textOf(join(this.#dir, file), maximumFileBytes)));
  }

  #inPlugin(plugin: string): Registration[] {
    // The name becomes part of a path, so it must not lead to another folder.
    if (!/^[\w@-]+$/.test(plugin)) return [];
    const local = codeIn(join(this.#dir, 'src/plugins', plugin));
    if (local.length > 0) return local;
    this.#packages ??= pluginPackages(this.#dir);
    const installed = this.#packages.get(plugin);
    return installed === undefined ? [] : codeIn(installed);
  }
}

/** The folders of installed plugins by the plugin's name (`strapi.name` in its package.json). */
function pluginPackages(dir: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const name of Object.keys(objectAt(jsonIn(join(dir, 'package.json')), 'dependencies')).slice(0, maximumFiles)) {
    const folder = join(dir, 'node_modules', name);
    const plugin = stringAt(objectAt(jsonIn(join(folder, 'package.json')), 'strapi'), 'name');
    if (plugin !== undefined) found.set(plugin, folder);
  }
  return found;
}

function jsonIn(file: string): JsonObject {
  const parsed = parseJson(textOf(file, maximumFileBytes));
  return parsed.ok && isObject(parsed.value) ? parsed.value : {};
}

/** The text of a file; empty if the file cannot be read or is longer than `limit`. */
function textOf(file: string, limit: number): string {
  try {
    const { size } = lstatSync(file);
    return size > limit ? '' : readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** The registrations in a plugin's server code, in whatever folder it was built. Code for the admin panel is ignored: the base types that it gives
 *  have no effect. */
function codeIn(folder: string): Registration[] {
  const found: Registration[] = [];
  let files = 0;
  let bytes = 0;
  const visit = (dir: string, depth: number): void => {
    for (const entry of entriesOf(dir)) {
      if (files >= maximumFiles || bytes >= maximumBytes) return;
      const path = join(dir, entry.name);
      if (entry.isDirectory()) {
        if (depth < maximumDepth && entry.name !== 'node_modules' && entry.name !== 'admin') visit(path, depth + 1);
      } else if (entry.isFile() && /(?<!\.d)\.[cm]?[jt]s$/.test(entry.name)) {
        const text = textOf(path, maximumFileBytes);
        files += 1;
        bytes += text.length;
        for (const each of registrationsIn(text)) {
          if (!found.some((other) => other.name === each.name && other.plugin === each.plugin)) found.push(each);
        }
      }
    }
  };
  visit(folder, 0);
  return found;
}

const entriesOf = (dir: string) => {
  try {
    return readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
};

const registering = /customFields\s*\.\s*register\s*\(/g;

function registrationsIn(text: string): Registration[] {
  const found: Registration[] = [];
  for (const { index, 0: opening } of text.matchAll(registering)) {
    const start = index + opening.length;
    for (const properties of argumentIn(text, start)) {
      const type = properties.get('type');
      if (type !== undefined && isScalarType(type)) found.push({ name: properties.get('name'), plugin: properties.get('plugin'), type });
    }
  }
  return found;
}

/** The objects of the argument that begins at `start`: literals, or the value of a constant in the same file. */
function argumentIn(text: string, start: number): Map<string, string>[] {
  const argument = text.slice(start, start + maximumRegistration);
  const name = /^\s*([A-Za-z_$][\w$]*)\s*\)/.exec(argument)?.[1];
  if (name === undefined) return objectsIn(argument, text);
  const definition = new RegExp(`(?:const|let|var|,)\\s+${name.replaceAll('$', '\\$')}\\s*(?::[^=;]{0,200})?=\\s*(?=\\{)`).exec(text);
  if (definition === null) return [];
  const from = definition.index + definition[0].length;
  return objectsIn(text.slice(from, from + maximumRegistration), text).slice(0, 1);
}

const space = /(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*/y;
const string = /'([^'\\\n]*)'|"([^"\\\n]*)"|`([^`\\$]*)`/y;
const property = /(?:([A-Za-z_$][\w$]*)|'([^'\\\n]*)'|"([^"\\\n]*)")\s*:\s*/y;
const identifier = /[A-Za-z_$][\w$]*/y;

/** The plain properties of each object in an argument, which is one object or a list of them. Constants are looked up in `whole`. */
function objectsIn(text: string, whole: string): Map<string, string>[] {
  const found: Map<string, string>[] = [];
  let at = 0;
  let current: Map<string, string> | undefined;
  const open: string[] = [];
  const take = (token: RegExp): RegExpExecArray | null => {
    token.lastIndex = at;
    const match = token.exec(text);
    if (match !== null) at = token.lastIndex;
    return match;
  };
  while (at < text.length) {
    take(space);
    const isOwn = current !== undefined && open.at(-1) === '{' && open.filter((each) => each === '{').length === 1;
    const named = isOwn ? take(property) : null;
    if (named !== null) {
      const key = named[1] ?? named[2] ?? named[3] ?? '';
      const literal = take(string);
      const constant = literal === null ? take(identifier)?.[0] : undefined;
      const value = literal === null ? (constant === undefined ? undefined : constantIn(whole, constant)) : literalIn(literal);
      if (value !== undefined) current?.set(key, value);
      continue;
    }
    if (take(string) !== null) continue;
    const character = text[at] ?? '';
    at += 1;
    if (character === '{' && open.every((each) => each === '[')) {
      current = new Map();
      found.push(current);
    }
    if (character === '{' || character === '[' || character === '(') open.push(character);
    else if (character === '}' || character === ']' || character === ')') {
      if (open.pop() === undefined) return found;
    }
  }
  return found;
}

const literalIn = (match: RegExpExecArray): string => match[1] ?? match[2] ?? match[3] ?? '';

/** The value of `const name = 'color'`: `color`. */
function constantIn(text: string, name: string): string | undefined {
  const escaped = name.replaceAll('$', '\\$');
  const match = new RegExp(`(?:const|let|var|,)\\s+${escaped}\\s*=\\s*(?:'([^'\\\\\\n]*)'|"([^"\\\\\\n]*)")`).exec(text);
  return match === null ? undefined : (match[1] ?? match[2]);
}
