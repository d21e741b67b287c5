/** Tells the statements of a read, for development: the same stages as `answer-read.ts`, up to the statements. */
import type { LocalesSource } from '../locales/locales.ts';
import type { ExplainRead } from './call.ts';
import { type CompileParts, createCompileCall } from './compile-call.ts';
import { explainRead } from './execute/explain-read.ts';
import { shapeOf } from './parse/query-shape.ts';
import { pathKey } from './path-key.ts';

export function createExplainRead(parts: CompileParts & { readonly locales: LocalesSource }): ExplainRead {
  const { config, database } = parts;
  const compile = createCompileCall(parts);
  return async (call) => {
    const locales = await parts.locales.current(call.dataVersion);
    const query = shapeOf(call.query, config.limits);
    const { compiled, fit } = compile({ call, query, locales }, []).planned;
    const bindings = fit.bindings(query.values, call.actor.rights.user);
    if (bindings === undefined) throw new Error('a plan does not fit the query that it was made for');
    return database.read((connection) => explainRead(compiled, { key: pathKey(call), ...bindings }, connection));
  };
}
