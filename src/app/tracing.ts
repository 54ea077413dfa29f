/** Spans by OpenTelemetry's API, loaded only if the operator has preloaded an SDK, which exports them. */

import {
  type Context,
  context,
  ROOT_CONTEXT,
  type SpanContext,
  SpanStatusCode,
  TraceFlags,
  trace,
} from "@opentelemetry/api";
import type { Observer } from "../core/context.ts";
import { MerchantError } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import type { QuoteId } from "../core/ids.ts";
import { currentNote } from "../core/request-note.ts";
import { VERSION } from "./version.ts";

/**
 * Everything about one quote is one trace, at all instances and however long the buyer takes: its id is
 * derived from the quote's. The request that caused a span (an agent's call, a buyer's click, a webhook) is
 * a trace of its own, which the span links to.
 */
export function purchaseTrace(quoteId: QuoteId): SpanContext {
  const id = sha256(quoteId);
  const traceFlags = TraceFlags.SAMPLED;
  return { traceId: id.slice(0, 32), spanId: id.slice(32, 48), traceFlags, isRemote: true };
}

export const tracing: Observer = async (act, run) => {
  const active = context.active();
  const request = currentNote();
  const activeSpan = trace.getSpanContext(active);
  const parent = parentOf(act.quoteId, active, activeSpan);
  const span = trace.getTracer("coffee-merchant", VERSION).startSpan(
    `${act.kind} ${act.name}`,
    {
      attributes: {
        [`coffee.${act.kind}`]: act.name,
        ...(act.quoteId !== undefined && { "coffee.quote_id": act.quoteId }),
        ...(request && { "coffee.request_id": request.request_id }),
      },
      links: activeSpan && parent !== active ? [{ context: activeSpan }] : [],
    },
    parent,
  );
  return context.with(trace.setSpan(parent, span), async () => {
    try {
      return await run();
    } catch (error) {
      const code = error instanceof MerchantError ? error.code : (error as Error)?.name;
      // A message may quote a stranger, so only the code is exported.
      span.setAttribute("error.type", code ?? "unknown");
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
};

function parentOf(
  quoteId: QuoteId | undefined,
  active: Context,
  activeSpan: SpanContext | undefined,
): Context {
  if (quoteId === undefined) return active;
  const purchase = purchaseTrace(quoteId);
  if (activeSpan?.traceId === purchase.traceId) return active;
  return trace.setSpanContext(ROOT_CONTEXT, purchase);
}
