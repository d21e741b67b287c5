/** An SDK of OpenTelemetry as an operator loads one (`NODE_OPTIONS=--import …`): writes each span as a line of JSON to `SPANS_FILE`. */
import { appendFileSync } from 'node:fs';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';

const exporter = {
  export(spans, done) {
    for (const span of spans) {
      const { name, kind, attributes, status, parentSpanContext } = span;
      const { traceId, spanId } = span.spanContext();
      const line = { name, kind, attributes, status, traceId, spanId, parent: parentSpanContext?.spanId, pid: process.pid };
      appendFileSync(process.env.SPANS_FILE, `${JSON.stringify(line)}\n`);
    }
    done({ code: 0 });
  },
  shutdown: async () => undefined,
};
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
/** W3C Trace Context, as SDKs read it. */
const propagator = {
  inject: () => undefined,
  fields: () => ['traceparent'],
  extract(parent, carrier, getter) {
    const [, traceId, spanId, flags] = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(getter.get(carrier, 'traceparent') ?? '') ?? [];
    if (traceId === undefined) return parent;
    return trace.setSpanContext(parent, { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true });
  },
};
propagation.setGlobalPropagator(propagator);
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
