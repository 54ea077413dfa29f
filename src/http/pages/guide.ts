import { html, type Markup } from "./html.ts";
import type { Page } from "./layout.ts";

/** What /llms.txt says, for a reader whose client prefers HTML. */
export interface GuideView {
  title: string;
  summary: string;
  sections: readonly { heading: string; blocks: readonly BlockView[] }[];
}

type BlockView =
  | { kind: "text"; text: string }
  | { kind: "steps" | "list"; items: readonly string[] }
  | { kind: "code"; language: string; text: string }
  | { kind: "links"; links: readonly { name: string; url: string; about: string }[] };

export const guidePage = ({ title, summary, sections }: GuideView): Page => ({
  title: "For agents",
  heading: `${title}, for agents`,
  lede: summary,
  listed: true,
  body: html`${sections.map(
    ({ heading, blocks }, i) => html`<section class="stack" aria-labelledby="part-${i}">
      <h2 id="part-${i}">${heading}</h2>
      ${blocks.map((block) => blockOf(block, heading))}
    </section>`,
  )}`,
});

function blockOf(block: BlockView, heading: string): Markup {
  switch (block.kind) {
    case "text":
      return html`<p>${block.text}</p>`;
    case "steps":
      return html`<ol class="steps stack">${block.items.map((text) => html`<li>${text}</li>`)}</ol>`;
    case "list":
      return html`<ul>${block.items.map((text) => html`<li>${text}</li>`)}</ul>`;
    case "code":
      // Long lines scroll inside the box, so the box takes focus for people without a mouse.
      return html`<pre tabindex="0" role="region" aria-label="${heading}"><code>${block.text}</code></pre>`;
    case "links":
      return html`<dl class="links stack">${block.links.map(
        ({ name, url, about }) =>
          html`<div><dt><a href="${url}">${name}</a></dt><dd>${about}</dd></div>`,
      )}</dl>`;
  }
}
