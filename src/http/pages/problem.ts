import type { NextStep, Problem } from "../../domain/shared/errors.ts";
import { html, type Markup } from "./html.ts";
import { layout, type PaymentMode } from "./layout.ts";

/** A problem+json document (contract §11), for a reader whose client prefers HTML. */
export interface ProblemView {
  status: number;
  title: string;
  detail: string;
  code: string;
  errors: readonly Problem[];
  next: readonly NextStep[];
  request_id?: string | undefined;
  /** `live` where it is absent. */
  mode?: PaymentMode | undefined;
}

export function problemPage(problem: ProblemView): string {
  return layout({
    title: problem.title,
    mode: problem.mode ?? "live",
    // What was refused may stand in the address with its token.
    secret: true,
    body: html`<header class="head">
      <p class="eyebrow">Error ${problem.status}</p>
      <h1>${problem.title}</h1>
      <p class="lede">${problem.detail}</p>
    </header>
    ${problem.errors.length > 0 ? problemList(problem.errors) : null}
    ${problem.next.length > 0 ? nextSteps(problem) : null}
    <p><a class="button" href="/">To the front page</a></p>
    <dl class="small-print">
      <div><dt>Code</dt>
        <dd class="code"><a href="/errors#${problem.code}">${problem.code}</a></dd></div>
      ${problem.request_id ? requestId(problem.request_id) : null}
    </dl>`,
  });
}

/** What to name when asking the merchant about it. */
function requestId(id: string): Markup {
  return html`<div><dt>Request</dt><dd class="code">${id}</dd></div>`;
}

function problemList(errors: readonly Problem[]): Markup {
  return html`<section class="slip" aria-labelledby="what">
    <h2 id="what">What is wrong</h2>
    <dl class="problems">
      ${errors.map(
        (error) => html`<div><dt class="code">${error.pointer}</dt><dd>${error.detail}</dd></div>`,
      )}
    </dl>
  </section>`;
}

function nextSteps({ next, code }: ProblemView): Markup {
  return html`<section class="block" aria-labelledby="next">
    <h2 id="next">What you can do</h2>
    <ul class="next-steps">
      ${next.map((step) => html`<li>${step.why} ${action(step, code)}</li>`)}
    </ul>
  </section>`;
}

/** A tool and its endpoint, for programs; people have the page about the error. */
function action(step: NextStep, code: string): Markup {
  if (step.action !== ERROR_PAGE) return html`<span class="code">${step.action}</span>`;
  return html`<a href="/errors#${code}">About this error</a>`;
}

/** What answers name as the next step where nothing more special is known. */
const ERROR_PAGE = "read the error's page";
