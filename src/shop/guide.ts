import type { Express } from "express";
import type { Api } from "../api/api.ts";
import { type Block, type Guide, guideText } from "../merchant/guide.ts";
import { bytesOf, HTML, MARKDOWN, TEXT } from "../web/documents.ts";
import { html, type Markup } from "../web/html.ts";
import { layout, type Page } from "../web/layout.ts";
import { preferred } from "../web/page-answers.ts";
import { codeBlock } from "../web/parts.ts";
import { mountGet } from "../web/routes.ts";

/** /llms.txt: the guide for agents, as text or a page. */
export function mountGuide(app: Express, { service }: Api): void {
  const { merchant } = service;
  const send = { [TEXT]: bytesOf(TEXT), [MARKDOWN]: bytesOf(MARKDOWN), [HTML]: bytesOf(HTML) };

  mountGet(app, "/llms.txt", async (req, res) => {
    const guide = await merchant.information.guide();
    const type = preferred(req, res, [TEXT, MARKDOWN, HTML]);
    await send[type](
      req,
      res,
      type === HTML ? layout(guidePage(guide), merchant) : guideText(guide),
    );
  });
}

const guidePage = ({ title, summary, sections }: Guide): Page => ({
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

function blockOf(block: Block, heading: string): Markup {
  switch (block.kind) {
    case "text":
      return html`<p>${block.text}</p>`;
    case "steps":
      return html`<ol class="steps stack">${block.items.map((text) => html`<li>${text}</li>`)}</ol>`;
    case "list":
      return html`<ul>${block.items.map((text) => html`<li>${text}</li>`)}</ul>`;
    case "code":
      return codeBlock(block.text, heading);
    case "links":
      return html`<dl class="links stack">${block.links.map(
        ({ name, url, about }) =>
          html`<div><dt><a href="${url}">${name}</a></dt><dd>${about}</dd></div>`,
      )}</dl>`;
  }
}
