/** Beginnings of the files that replace code of a project. Each has the parts of all findings. */
import type { Method } from '../../own-code/types.ts';
import { keyOf, quoted } from '../../typescript/source-text.ts';

export interface Sketch {
  /** Relative to the project. */
  readonly file: string;
  readonly text: string;
}

export type HookPlace = 'before' | 'committed';
export type HookAction = 'create' | 'update' | 'publish' | 'unpublish' | 'discard' | 'delete';

/** A function of hooks: comments that say what is to be written. */
export interface HookFunction {
  readonly place: HookPlace;
  readonly action: HookAction;
  readonly comments: readonly string[];
  /** Names that the comments use, of the module and of the context. */
  readonly imports: readonly string[];
  readonly context: readonly string[];
}

export interface ComputedAttribute {
  readonly attribute: string;
  /** `slug({ from: 'title' })`, `(entry) => entry.price * entry.amount`. */
  readonly code: string;
  readonly imports: readonly string[];
}

export interface EndpointSketch {
  readonly method: Method;
  /** Below the prefix of the API. */
  readonly path: string;
  readonly right: string;
  readonly comments: readonly string[];
  readonly context: readonly string[];
}

export interface RightSketch {
  readonly uid: string;
  readonly action: string;
  readonly value: Readonly<Record<string, string>>;
}

interface HookFile {
  readonly uid: string;
  readonly computed: Map<string, ComputedAttribute>;
  readonly functions: Map<string, HookFunction[]>;
}

export class SketchBook {
  readonly #hooks = new Map<string, HookFile>();
  readonly #endpoints = new Map<string, EndpointSketch>();
  readonly #rights: RightSketch[] = [];

  /** Adds to the hooks of a type, and returns their file. */
  addHooks(uid: string, functions: readonly HookFunction[], computed: readonly ComputedAttribute[] = []): string {
    const file = this.#fileOf(uid);
    const hooks = this.#hooks.get(file) ?? { uid, computed: new Map(), functions: new Map() };
    this.#hooks.set(file, hooks);
    for (const each of computed) hooks.computed.set(each.attribute, each);
    for (const each of functions) {
      const key = `${each.place}.${each.action}`;
      hooks.functions.set(key, [...(hooks.functions.get(key) ?? []), each]);
    }
    return file;
  }

  addEndpoint(endpoint: EndpointSketch): string {
    const { method, path } = endpoint;
    const name = path
      .split('/')
      .filter((part) => part !== '' && !part.startsWith(':'))
      .join('-')
      .replaceAll(/[^\w-]/g, '-');
    const files = [
      name || 'root',
      `${method.toLowerCase()}-${name}`,
      `${method.toLowerCase()}-${path.replaceAll(/[^\w]+/g, '-').replace(/^-/, '')}`,
    ].map((each) => `lectern/endpoints/${each}.ts`);
    const isOurs = (file: string) => {
      const known = this.#endpoints.get(file);
      return known === undefined || (known.method === method && known.path === path);
    };
    const file = files.find(isOurs) ?? files[2] ?? '';
    this.#endpoints.set(file, endpoint);
    return file;
  }

  addRight(right: RightSketch): void {
    this.#rights.push(right);
  }

  sketches(): readonly Sketch[] {
    return [
      ...[...this.#hooks].map(([file, hooks]) => ({ file, text: hookText(hooks) })),
      ...[...this.#endpoints].map(([file, endpoint]) => ({ file, text: endpointText(endpoint) })),
      ...(this.#rights.length === 0 ? [] : [{ file: 'permissions.json', text: rightsText(this.#rights) }]),
    ];
  }

  /** `lectern/hooks/article.ts`; for a second type of the name, with the name of its API. */
  #fileOf(uid: string): string {
    const [, owner = '', name = ''] = /^\w+::([^.]+)\.(.+)$/.exec(uid) ?? [];
    const file = `lectern/hooks/${name}.ts`;
    const known = this.#hooks.get(file);
    return known === undefined || known.uid === uid ? file : `lectern/hooks/${owner}-${name}.ts`;
  }
}

function hookText({ uid, computed, functions }: HookFile): string {
  const all = [...functions.values()].flat();
  const imports = [...new Set(['defineHooks', ...[...computed.values(), ...all].flatMap((each) => each.imports)])].sort();
  const lines = [`import { ${imports.join(', ')} } from 'lectern';`, '', `export default defineHooks(${quoted(uid)}, {`];
  if (computed.size > 0)
    lines.push('  compute: {', ...[...computed.values()].map(({ attribute, code }) => `    ${keyOf(attribute)}: ${code},`), '  },');
  for (const place of ['before', 'committed'] as const) {
    const ofPlace = [...functions].filter(([key]) => key.startsWith(`${place}.`));
    if (ofPlace.length === 0) continue;
    lines.push(`  ${place}: {`);
    for (const [key, parts] of ofPlace) {
      const context = [...new Set(parts.flatMap((part) => part.context))];
      const isAsync = place === 'committed' ? 'async ' : '';
      lines.push(`    ${isAsync}${key.slice(place.length + 1)}(${context.length === 0 ? '' : `{ ${context.join(', ')} }`}) {`);
      lines.push(...parts.flatMap(({ comments }) => comments).map((comment) => `      // ${oneLine(comment)}`));
      lines.push('    },');
    }
    lines.push('  },');
  }
  return [...lines, '});', ''].join('\n');
}

function endpointText({ method, path, right, comments, context }: EndpointSketch): string {
  return [
    "import { defineEndpoint } from 'lectern';",
    '',
    'export default defineEndpoint({',
    `  method: ${quoted(method)},`,
    `  path: ${quoted(path)},`,
    `  right: ${quoted(right)},`,
    `  async handler({ ${context.join(', ')} }) {`,
    ...comments.map((comment) => `    // ${oneLine(comment)}`),
    "    return new Response('This endpoint is not written yet.', { status: 501 });",
    '  },',
    '});',
    '',
  ].join('\n');
}

/** Texts of the project must not end a comment. */
const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ');

/** `{ "preset": "owner", "attribute": "author" }` */
const spaced = (value: unknown): string => JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ');

/** The part of permissions.json with these rights, of the users who are signed in. */
function rightsText(rights: readonly RightSketch[]): string {
  const byType: Record<string, Record<string, unknown>> = {};
  for (const { uid, action, value } of rights) byType[uid] = { ...byType[uid], [action]: value };
  const lines = Object.entries(byType).map(([uid, actions]) => {
    const inner = Object.entries(actions).map(([action, value]) => `          ${JSON.stringify(action)}: ${spaced(value)}`);
    return `        ${JSON.stringify(uid)}: {\n${inner.join(',\n')}\n        }`;
  });
  return `{\n  "roles": {\n    "authenticated": {\n      "rights": {\n${lines.join(',\n')}\n      }\n    }\n  }\n}\n`;
}
