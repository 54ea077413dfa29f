/** Preloaded by a process: an OpenTelemetry SDK that writes every span to SPANS_FILE. */
import { appendFileSync } from "node:fs";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace-node";
import { NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";

/** One line of JSON with the fields that tests check. */
function line(span: ReadableSpan): string {
  const { traceId, spanId } = span.spanContext();
  const linked = span.links.map(({ context }) => context.spanId);
  const parent = span.parentSpanContext?.spanId;
  return `${JSON.stringify({ name: span.name, traceId, spanId, parent, linked })}\n`;
}

const exporter: SpanExporter = {
  export(spans, done) {
    appendFileSync(process.env.SPANS_FILE!, spans.map(line).join(""));
    done({ code: 0 });
  },
  shutdown: async () => {},
};

new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
