import { ERRORS, type ErrorCode } from "../core/errors.ts";
import { namedText } from "../core/next-step.ts";
import { html, type Markup } from "./html.ts";
import type { Page } from "./layout.ts";

/** The page at `/errors`: the `type` of every problem+json answer points here, at `#CODE`. */
export function errorsPage(): Page {
  const entries = Object.entries(ERRORS).sort(
    ([codeA, a], [codeB, b]) => a.status - b.status || codeA.localeCompare(codeB),
  );
  return {
    title: "Errors",
    listed: true,
    lede: html`Every refusal is <span class="code">application/problem+json</span> (RFC 9457)
      and carries one of these codes, all problems at once, and the next step. New codes may be
      added; go by the status of a code you do not know.`,
    body: html`<div class="stack">
      ${entries.map(([code, kind]) => entry(code, kind))}
    </div>`,
  };
}

const entry = (code: string, kind: (typeof ERRORS)[ErrorCode]): Markup =>
  html`<section class="error-entry" id="${code}" aria-labelledby="${code}-title">
    <h2 id="${code}-title"><a class="code" href="#${code}">${code}</a></h2>
    <p><span class="chip">${kind.status}</span> ${kind.title}${
      kind.retryable && html` <span class="hint">safe to retry</span>`
    }</p>
    <p>${namedText(kind.help, "endpoints")}</p>
  </section>`;
