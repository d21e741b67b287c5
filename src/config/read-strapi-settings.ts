/** Finds settings in a Strapi project's `config/`, and reports what became of everything there. */
import { resolve } from 'node:path';
import type { Environment } from './environment.ts';
import { shownValue } from './setting.ts';
import type { PlacedSetting } from './settings.ts';
import { type ConfigNode, nodeAt, openStrapiConfig, plainOf } from './strapi-config.ts';
import { type Look, notes, type StrapiSetting, strapiSettings, withoutEffect } from './strapi-settings.ts';
import type { StrapiConfigFinding } from './strapi-settings-report.ts';

/** A value that a setting has from elsewhere, and that wins. */
export interface OwnValue {
  readonly source: string;
  readonly value: unknown;
  /** Whether it is a variable of Strapi's template, which Strapi reads through `config/`. */
  readonly isStrapiVariable: boolean;
}

export interface StrapiValue {
  /** `config/api.ts: rest.maxLimit`, or `Strapi's default`. */
  readonly source: string;
  readonly value: unknown;
}

export interface StrapiReport {
  readonly findings: readonly StrapiConfigFinding[];
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
}

export class StrapiSettingsReader {
  readonly #dir: string;
  readonly #config;
  readonly #roots = new Map<string, ConfigNode | undefined>();
  readonly #findings: StrapiConfigFinding[] = [];
  readonly #warnings: string[] = [];
  readonly #errors: string[] = [];
  /** Values that could not be read, with the settings that they leave to their defaults. */
  readonly #computed = new Map<ConfigNode, { readonly path: string; readonly settings: string[]; readonly replaced: string[] }>();

  constructor(dir: string, environment: Environment) {
    this.#dir = dir;
    this.#config = openStrapiConfig(dir, environment);
  }

  /** The project's value of a setting, or Strapi's default. `own` wins over it. */
  find({ path, setting }: PlacedSetting, own: OwnValue | undefined): StrapiValue | undefined {
    const strapi = Object.hasOwn(strapiSettings, path) ? strapiSettings[path] : undefined;
    if (strapi === undefined) return undefined;
    const root = this.#root(strapi.file);
    const look: Look = (at) => {
      const node = nodeAt(root, at.split('.'));
      return node === undefined ? undefined : plainOf(node)?.value;
    };
    if (strapi.when?.(look) === false) return undefined;
    const byDefault = (value: unknown) => (own !== undefined || value === undefined ? undefined : { source: "Strapi's default", value });
    const found = strapi.paths.map((at) => ({ at, node: nodeAt(root, at.split('.')) })).find(({ node }) => node !== undefined);
    if (found?.node === undefined) return byDefault(strapi.absent?.(look) ?? strapi.fallback);
    const { at, node } = found;
    const plain = plainOf(node);
    if (plain === undefined) {
      this.#noteComputed(node, at, root, { setting: path, own });
      return byDefault(strapi.fallback);
    }
    const position = { file: node.file, line: node.line, path: at, setting: path };
    const source = `${node.file}: ${at}`;
    const value = strapi.read === undefined ? plain.value : strapi.read(plain.value, look);
    if (value === undefined) return byDefault(strapi.fallback);
    const reading = setting.fromJson(value);
    if (!reading.ok) {
      const problem = `${source} is ${shownValue(plain.value, setting)}, but must be ${reading.expected}`;
      const note = notes[`${strapi.file}: ${at}`] ?? `it must be ${reading.expected}`;
      if (own === undefined && strapi.isDecisive) this.#errors.push(problem);
      else if (own === undefined) this.#warnings.push(`${problem}. ${described(path, strapi.fallback)}`);
      this.#findings.push({ ...position, outcome: 'notHonoured', note: own === undefined ? note : `${own.source} applies` });
      return byDefault(strapi.fallback);
    }
    const shown = setting.sensitive ? {} : { value: JSON.stringify(plain.value) };
    if (own === undefined || isSameValue(own.value, reading.value, this.#dir)) {
      this.#findings.push({ ...position, ...shown, outcome: 'honoured' });
      return own === undefined ? { source, value } : undefined;
    }
    this.#findings.push({ ...position, ...shown, outcome: 'notHonoured', note: `${own.source} wins` });
    if (own.isStrapiVariable)
      this.#warnings.push(`${own.source} wins over ${source}, which has another value and is what Strapi uses. Remove one of them`);
    return undefined;
  }

  finish(): StrapiReport {
    for (const [{ file, line }, { path, settings, replaced }] of this.#computed) {
      const [only] = settings;
      const what = path === '' ? `${file} cannot be read` : `${file}: ${path} is not a plain value`;
      const open = settings.filter((each) => !replaced.includes(each));
      const note = open.length === 0 ? `set elsewhere: ${replaced.join(', ')}` : defaultsOf(open);
      if (open.length > 0) this.#warnings.push(`${what}; ${note}`);
      this.#findings.push({
        file,
        line,
        path,
        outcome: 'computed',
        ...(settings.length === 1 && only !== undefined ? { setting: only } : {}),
        note,
      });
    }
    for (const file of ['api', 'server', 'database', 'middlewares', 'plugins']) this.#noteUnknown(file);
    const findings = this.#findings.toSorted((a, b) => a.file.localeCompare(b.file, 'en') || a.line - b.line);
    return { findings, warnings: this.#warnings, errors: this.#errors };
  }

  #root(file: string): ConfigNode | undefined {
    if (!this.#roots.has(file)) {
      const node = this.#config.file(file);
      this.#roots.set(file, file === 'middlewares' ? byName(node) : node);
    }
    return this.#roots.get(file);
  }

  #noteComputed(
    node: ConfigNode,
    at: string,
    root: ConfigNode | undefined,
    { setting, own }: { readonly setting: string; readonly own: OwnValue | undefined },
  ): void {
    const keys = at.split('.');
    const reached = keys.findIndex((_, index) => nodeAt(root, keys.slice(0, index)) === node);
    const known = this.#computed.get(node) ?? { path: reached === -1 ? at : keys.slice(0, reached).join('.'), settings: [], replaced: [] };
    known.settings.push(setting);
    if (own !== undefined) known.replaced.push(setting);
    this.#computed.set(node, known);
  }

  /** Reports the keys that no setting is made from. */
  #noteUnknown(file: string): void {
    const known = Object.values(strapiSettings).flatMap((strapi) => (strapi.file === file ? strapi.paths : []));
    const ignored = [...(withoutEffect[file] ?? [])];
    const visit = (node: ConfigNode, path: string): void => {
      if (ignored.includes(path) || known.includes(path) || this.#computed.has(node)) return;
      const isAbove = path === '' || [...known, ...ignored].some((each) => each.startsWith(`${path}.`));
      if (isAbove && node.kind === 'object') {
        for (const [key, inner] of node.entries) visit(inner, path === '' ? key : `${path}.${key}`);
        return;
      }
      // A part that is switched off, or is not configured.
      if ((node.kind === 'plain' && (node.value === null || node.value === false)) || (node.kind === 'object' && node.entries.size === 0))
        return;
      const note = notes[`${file}: ${path}`];
      this.#findings.push({ file: node.file, line: node.line, path, outcome: 'notHonoured', ...(note === undefined ? {} : { note }) });
    };
    const root = this.#root(file);
    if (root !== undefined) visit(root, '');
  }
}

/** The middlewares of a list by their names, as far as they are Strapi's own. */
function byName(node: ConfigNode | undefined): ConfigNode | undefined {
  if (node?.kind !== 'list') return node;
  const entries = new Map<string, ConfigNode>();
  let rest: ConfigNode | undefined;
  for (const item of node.items) {
    if (item === undefined || item.kind === 'plain') continue;
    const name = nodeAt(item, ['name']);
    if (name?.kind === 'plain' && typeof name.value === 'string' && name.value.startsWith('strapi::') && item.kind === 'object') {
      const config = item.entries.get('config');
      entries.set(name.value, { ...item, entries: new Map(config === undefined ? [] : [['config', config]]) });
    } else if (item.kind === 'computed' || name?.kind === 'computed') rest = item.kind === 'computed' ? item : name;
  }
  const { file, line } = node;
  return { kind: 'object', entries, rest, file, line };
}

export function isSameValue(one: unknown, other: unknown, dir: string): boolean {
  // A path may be relative to the project.
  if (typeof one === 'string' && typeof other === 'string') return one === other || resolve(dir, one) === resolve(dir, other);
  return JSON.stringify(one) === JSON.stringify(other);
}

const described = (setting: string, fallback: unknown): string =>
  fallback === undefined ? `Lectern's default of ${setting} applies` : `Lectern uses Strapi's default, ${String(fallback)}`;

function defaultsOf(settings: readonly string[]): string {
  const [only, ...more] = settings;
  if (only !== undefined && more.length === 0) return described(only, strapiFallback(only));
  return `the defaults of ${settings.join(', ')} apply`;
}

const strapiFallback = (setting: string): StrapiSetting['fallback'] => strapiSettings[setting]?.fallback;
