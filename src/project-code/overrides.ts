/** Finds the actions of core routes that an API's controllers and services change. */
import type { Finding } from './project-code.ts';
import type { Module } from './read-module.ts';
import { called, factoryArguments, isAbsent, type Value } from './value.ts';

const all = ['find', 'findOne', 'create', 'update', 'delete'];
const writes = ['create', 'update'];

export interface Part {
  readonly factory: string;
  /** For messages: `a controller action of its own (find)`. */
  readonly what: string;
  /** The actions that call each function. */
  readonly functions: Readonly<Record<string, readonly string[]>>;
}

const own = Object.fromEntries(all.map((action) => [action, [action]]));

export const controllers: Part = {
  factory: 'createCoreController',
  what: 'controller',
  functions: {
    ...own,
    transformResponse: all,
    sanitizeOutput: all,
    sanitizeQuery: all,
    validateQuery: all,
    sanitizeInput: writes,
    validateInput: writes,
  },
};

export const services: Part = {
  factory: 'createCoreService',
  what: 'service',
  functions: {
    ...own,
    // Single types only.
    createOrUpdate: ['update'],
    getDocumentId: ['update', 'delete'],
    getFetchParams: all,
  },
};

/** Reports each changed action, or `*` for all of them. */
export function readOverrides(uid: string, { file, value }: Module, part: Part, report: (action: string, finding: Finding) => void): void {
  const args = factoryArguments(value, part.factory);
  const written = args === undefined ? called(value) : ownFunctions(args, uid);
  if (written === undefined) return;
  if (written.kind !== 'object' || written.open) {
    report('*', { what: `a ${part.what} that cannot be read`, file, line: written.line });
    if (written.kind !== 'object') return;
  }
  for (const [name, each] of written.entries) {
    if (!Object.hasOwn(part.functions, name) || isAbsent(each)) continue;
    for (const action of part.functions[name] ?? [])
      report(action, { what: `a ${part.what} function of its own, ${name}`, file, line: each.line });
  }
}

/** A factory's functions besides the uid; undefined if none, unknown for another type's uid. */
function ownFunctions([type, functions]: readonly Value[], uid: string): Value | undefined {
  if (type?.kind !== 'plain' || type.value !== uid) return { kind: 'unknown', line: type?.line ?? 1 };
  return functions === undefined || isAbsent(functions) ? undefined : called(functions);
}
