/** An SDK of OpenTelemetry as an operator loads one (`NODE_OPTIONS=--import …`): writes each span as a line of JSON to `SPANS_FILE`. */
import { appendFileSync } from 'node:fs';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
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
propagation.setGlobalPropagator(new W3CTraceContextPropagator());
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
