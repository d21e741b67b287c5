/** Finds the base types of custom fields in the code that registers them:
 *  `strapi.customFields.register({ name: 'color', plugin: 'color-picker', type: 'string' })`. The
 *  code is parsed and never run, so only plain literals are found. */
import { declarationOf } from '../../project-code/open-code.ts';
import { keyOf } from '../../project-code/scopes.ts';
import { child, nameOf, nodesAt, parseSource, type SyntaxNode, unwrap, walk } from '../../project-code/syntax.ts';
import { isObject, type JsonObject, objectAt, parseJson, stringAt } from '../../text/json.ts';
import { isScalarType } from '../scalar-types.ts';
import type { ProjectFolder } from './project-folder.ts';

/** At most this much of one plugin's code is read. */
const maximumFiles = 400;
const maximumFileBytes = 1_000_000;
const maximumBytes = 8_000_000;
const maximumDepth = 6;

interface Registration {
  readonly name: string | undefined;
  readonly plugin: string | undefined;
  readonly type: string;
}

export class CustomFieldCode {
  readonly #project: ProjectFolder;
  readonly #registrations = new Map<string, readonly Registration[]>();
  #packages: ReadonlyMap<string, string> | undefined;

  constructor(project: ProjectFolder) {
    this.#project = project;
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
    // The name is often another file's constant. A plugin's only registered field must be meant.
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
    return ['src/index.ts', 'src/index.js'].flatMap((file) => registrationsIn(this.#project.readShort(file, maximumFileBytes) ?? ''));
  }

  #inPlugin(plugin: string): Registration[] {
    // The name becomes part of a path, so it must not lead to another folder.
    if (!/^[\w@-]+$/.test(plugin)) return [];
    const local = codeIn(`src/plugins/${plugin}`, this.#project);
    if (local.length > 0) return local;
    this.#packages ??= pluginPackages(this.#project);
    const installed = this.#packages.get(plugin);
    return installed === undefined ? [] : codeIn(installed, this.#project);
  }
}

/** The folders of installed plugins by the plugin's name (`strapi.name` in its package.json). */
function pluginPackages(project: ProjectFolder): ReadonlyMap<string, string> {
  const jsonIn = (file: string): JsonObject => {
    const parsed = parseJson(project.readShort(file, maximumFileBytes) ?? '');
    return parsed.ok && isObject(parsed.value) ? parsed.value : {};
  };
  const found = new Map<string, string>();
  for (const name of Object.keys(objectAt(jsonIn('package.json'), 'dependencies')).slice(0, maximumFiles)) {
    const folder = `node_modules/${name}`;
    const plugin = stringAt(objectAt(jsonIn(`${folder}/package.json`), 'strapi'), 'name');
    if (plugin !== undefined) found.set(plugin, folder);
  }
  return found;
}

/** The registrations in a plugin's server code, in whatever folder it was built. Code for the admin
 *  panel is ignored: the base types that it gives have no effect. */
function codeIn(folder: string, project: ProjectFolder): Registration[] {
  const found: Registration[] = [];
  let files = 0;
  let bytes = 0;
  const visit = (dir: string, depth: number): void => {
    for (const entry of project.entries(dir) ?? []) {
      if (files >= maximumFiles || bytes >= maximumBytes) return;
      const path = `${dir}/${entry.name}`;
      if (entry.isDirectory()) {
        if (depth < maximumDepth && entry.name !== 'node_modules' && entry.name !== 'admin') visit(path, depth + 1);
      } else if (entry.isFile() && /(?<!\.d)\.[cm]?[jt]s$/.test(entry.name)) {
        const text = project.readShort(path, maximumFileBytes) ?? '';
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

/** Most files register nothing, and need not be parsed. */
const registering = /customFields\s*\.\s*register\s*\(/;

function registrationsIn(text: string): Registration[] {
  const root = registering.test(text) ? parseSource(text) : undefined;
  const found: Registration[] = [];
  if (root === undefined) return found;
  walk(root, (node) => {
    for (const object of registered(node, root)) {
      const type = textAt(object, 'type', root);
      if (type !== undefined && isScalarType(type))
        found.push({ name: textAt(object, 'name', root), plugin: textAt(object, 'plugin', root), type });
    }
    return undefined;
  });
  return found;
}

/** The objects of the argument of `….customFields.register(…)`; none for any other node. */
function registered(node: SyntaxNode, root: SyntaxNode): readonly SyntaxNode[] {
  const callee = node.type === 'CallExpression' ? child(node, 'callee') : undefined;
  const [argument] = nodesAt(node, 'arguments');
  if (callee === undefined || argument === undefined || nameOf(child(callee, 'property')) !== 'register') return [];
  const owner = child(callee, 'object');
  if (nameOf(owner) !== 'customFields' && nameOf(owner && child(owner, 'property')) !== 'customFields') return [];
  const registration = constant(argument, root);
  return registration.type === 'ArrayExpression' ? nodesAt(registration, 'elements').map((each) => constant(each, root)) : [registration];
}

/** The literal of a name that the same file declares; any other expression as it is. */
const constant = (node: SyntaxNode, root: SyntaxNode): SyntaxNode => {
  const expression = unwrap(node);
  return unwrap(declarationOf(root, nameOf(expression)) ?? expression);
};

/** The text of a property: a literal, or the name of a constant. */
function textAt(object: SyntaxNode, key: string, root: SyntaxNode): string | undefined {
  const property = nodesAt(object, 'properties').find((each) => each.computed !== true && keyOf(each) === key);
  const valueNode = property && child(property, 'value');
  const value = valueNode && constant(valueNode, root);
  if (value?.type === 'TemplateLiteral' && nodesAt(value, 'expressions').length === 0) {
    const cooked = nodesAt(value, 'quasis')[0]?.value;
    return isObject(cooked) && typeof cooked.cooked === 'string' ? cooked.cooked : undefined;
  }
  return typeof value?.value === 'string' ? value.value : undefined;
}
