/** Explains a read, for development and operators: the same stages as `answer-read.ts`. */
import type { Connection } from '../dialects/database.ts';
import { ApiError } from '../errors/api-error.ts';
import type { Locales, LocalesSource } from '../locales/locales.ts';
import { urlSigning } from '../media/storage/url-signer.ts';
import { RequestRecord, recordedConnection } from '../observe/request-record.ts';
import { textOfBody } from '../text/text-of-body.ts';
import type { ExplainedRun, ExplainRead, ExplainRun, ReadCall } from './call.ts';
import { type CompileParts, createCompileCall } from './compile-call.ts';
import { explainRead } from './execute/explain-read.ts';
import { ReadBudget } from './execute/read-budget.ts';
import { shapeOf } from './parse/query-shape.ts';
import { pathKey } from './path-key.ts';
import { renderingOf } from './render/render-read.ts';
import { prepareRead, runRead } from './run/read/run-read.ts';
import { noteRun, type Timings } from './timings.ts';

type ExplainParts = CompileParts & { readonly locales: LocalesSource };

/** Makes the function that returns the statements of a read without running them. */
export function createExplainRead(parts: ExplainParts): ExplainRead {
  const compile = createCompile(parts);
  return async (call) => {
    const { compiled, bindings } = compile(call, await parts.locales.current(call.dataVersion), []);
    return parts.database.read((connection) => explainRead(compiled, bindings, connection));
  };
}

/** Makes the function that runs a read without caches, and returns what it did. */
export function createExplainRun(parts: ExplainParts): ExplainRun {
  const { config, database, unlisted } = parts;
  const compile = createCompile(parts);
  const rendering = renderingOf(config.limits, urlSigning(config));

  async function run(call: ReadCall, locales: Locales, connection: Connection) {
    const stages: Timings = [];
    const { compiled, bindings } = compile(call, locales, stages);
    const explained = await explainRead(compiled, bindings, connection);
    const record = new RequestRecord(true);
    const result = await runRead(prepareRead(compiled, rendering), bindings, {
      connection: recordedConnection(connection, record),
      budget: new ReadBudget(config.limits),
    });
    noteRun(stages, result);
    const timesOf = (sql: string) => record.statements.filter(({ text }) => text === sql).map(({ milliseconds }) => milliseconds);
    const statements = explained.map((statement) => ({ ...statement, milliseconds: timesOf(statement.sql) }));
    return { result, explained: { body: result.body, stages, statements, ran: result.statements } };
  }

  return async (call) => {
    const locales = await parts.locales.current(call.dataVersion);
    return database.read(async (connection): Promise<ExplainedRun> => {
      for (;;) {
        const { result, explained } = await run(call, locales, connection);
        // As `PlanCache.run` does: each time, further components of the model are known, of which
        // there are few.
        if (result.unlisted !== undefined && unlisted.learn(result.unlisted)) continue;
        if (explained.body === undefined) throw ApiError.of('document.not-found');
        return { ...explained, body: textOfBody(explained.body) };
      }
    });
  };
}

function createCompile(parts: ExplainParts) {
  const { config } = parts;
  const compileCall = createCompileCall(parts);
  return (call: ReadCall, locales: Locales, timings: Timings) => {
    const query = shapeOf(call.query, config.limits);
    const { compiled, fit } = compileCall({ call, query, locales }, timings).planned;
    const bindings = fit.bindings(query.values, call.actor.rights.user);
    if (bindings === undefined) throw new Error('a plan does not fit the query that it was made for');
    return { compiled, bindings: { key: pathKey(call), ...bindings } };
  };
}
