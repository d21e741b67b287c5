/** Spans of OpenTelemetry for requests, their stages and their statements, named by its semantic
 *  conventions. Only the API is loaded: without an SDK in the process, nothing is recorded. */
import type { Context, Span, SpanOptions } from '@opentelemetry/api';
import { pathOf } from '../text/url-parts.ts';
import type { AnsweredRequest, ArrivedRequest, RequestSpan } from './observer.ts';
import type { RanStatement } from './request-record.ts';

const knownMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

/** `engine`: `Dialect.systemName`. */
export async function createSpans(engine: string, version: string) {
  const { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = await import('@opentelemetry/api');
  const tracer = trace.getTracer('lectern', version);

  const child = (name: string, parent: Context, at: number, milliseconds: number, options: SpanOptions = {}): Span => {
    const span = tracer.startSpan(name, { ...options, startTime: epoch(at) }, parent);
    span.end(epoch(at + milliseconds));
    return span;
  };
  const statementSpan = ({ text, milliseconds }: RanStatement, at: number, parent: Context) => {
    const operation = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'SQL';
    const attributes = { 'db.system.name': engine, 'db.operation.name': operation, 'db.query.text': text };
    child(operation, parent, at, milliseconds, { kind: SpanKind.CLIENT, attributes });
  };
  const stagesBelow = (parent: Context, { stages, record }: AnsweredRequest) => {
    let executing = parent;
    for (const [name, milliseconds, at] of stages) {
      const span = child(name, parent, at, milliseconds);
      // Statements run in this stage alone.
      if (name === 'execute') executing = trace.setSpan(parent, span);
    }
    for (const statement of record?.statements ?? []) {
      // The statements of another process are a part of the span of its stage.
      if (statement.at !== undefined) statementSpan(statement, statement.at, executing);
    }
  };

  return {
    /** False if no SDK has registered itself. */
    hasSdk: hasSdk(trace.getTracerProvider()),
    begin({ method, url, headers }: ArrivedRequest, at: number): RequestSpan {
      // Another library may have begun a span for the same request.
      const parent = trace.getActiveSpan() === undefined ? propagation.extract(ROOT_CONTEXT, headers) : context.active();
      const known = knownMethods.has(method);
      const attributes = {
        'http.request.method': known ? method : '_OTHER',
        'url.path': pathOf(url),
        'url.scheme': 'http',
      };
      const name = known ? method : 'HTTP';
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes, startTime: epoch(at) }, parent);
      const own = trace.setSpan(parent, span);
      return {
        traceId: span.spanContext().traceId,
        within: (work) => context.with(own, work),
        end(answered) {
          const { route, status, cache, statements, caller, milliseconds } = answered;
          if (route !== undefined) span.updateName(`${name} ${route}`).setAttribute('http.route', route);
          span.setAttributes({ 'http.response.status_code': status, 'lectern.statements': statements });
          if (cache !== undefined) span.setAttribute('lectern.cache', cache);
          if (caller !== undefined) span.setAttribute('lectern.caller', caller);
          if (status >= 500) span.setAttribute('error.type', String(status)).setStatus({ code: SpanStatusCode.ERROR });
          if (span.isRecording()) stagesBelow(own, answered);
          span.end(epoch(at + milliseconds));
        },
      };
    },
  };
}

/** Milliseconds since the epoch. */
const epoch = (at: number) => performance.timeOrigin + at;

/** A provider without an SDK passes on to none. An SDK may come with another copy of the API. */
function hasSdk(provider: object): boolean {
  const { getDelegateTracer } = provider as { getDelegateTracer?: (name: string) => unknown };
  return getDelegateTracer === undefined || getDelegateTracer.call(provider, 'lectern') !== undefined;
}
