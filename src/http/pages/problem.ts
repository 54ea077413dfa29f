import type { Problem } from "../../domain/shared/errors.ts";
import { html, type Markup } from "./html.ts";
import type { Page } from "./layout.ts";
import { fieldName, plainly, wordsFor } from "./problem-words.ts";

/** A refusal (contract §11) for a buyer; programs read the same as problem+json. */
export interface ProblemView {
  title: string;
  detail: string;
  code: string;
  errors: readonly Problem[];
  request_id?: string | undefined;
  /** The same link without the discount code, where nothing else is wrong with it. */
  withoutCode?: string | undefined;
}

export function problemPage(problem: ProblemView): Page {
  const { title, text } = wordsFor(problem.code) ?? { title: problem.title, text: problem.detail };
  return {
    title,
    lede: text,
    body: html`${problem.errors.length > 0 && problemList(problem.errors)}
    <p class="cluster">${
      problem.withoutCode &&
      html`<a class="button" href="${problem.withoutCode}">Go on without the code</a>`
    } <a class="${problem.withoutCode ? "button quiet" : "button"}" href="/">To the front page</a></p>
    <dl class="small-print">
      <div><dt>If you ask the shop, name</dt>
        <dd class="code">${problem.code}${problem.request_id && html`, ${problem.request_id}`}</dd></div>
    </dl>`,
  };
}

function problemList(errors: readonly Problem[]): Markup {
  return html`<section class="slip stack" aria-labelledby="what">
    <h2 id="what">What is not right</h2>
    <dl class="stack">
      ${errors.map(
        (error) => html`<div><dt>${fieldName(error.pointer) ?? "The link"}</dt>
        <dd>${plainly(error)}</dd></div>`,
      )}
    </dl>
  </section>`;
}
