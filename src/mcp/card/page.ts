import { readFileSync } from "node:fs";
import type { Catalog, Product } from "../../catalog/catalog.ts";
import { bagPicture } from "../../web/bag/bag.ts";

/** How MCP Apps (SEP-1865) call a page that a chat shows. */
export const CARD_MIME = "text/html;profile=mcp-app";

/** Nothing is declared, so that hosts let it load nothing and reach nothing. */
export const CARD_UI = { csp: {}, prefersBorder: true };

/** In the order in which each is needed by the next. */
const PARTS = ["words", "host", "quote", "order", "main"];

const part = (name: string): string => readFileSync(new URL(`./${name}`, import.meta.url), "utf8");

/**
 * The parts are modules for those who check them; a card may load nothing, so here they are one script, in
 * which each still has its own names and hands on what it exports.
 */
export const cardScript = (): string =>
  `(() => {\nconst parts = {};\n${PARTS.map(scoped).join("\n")}\n})();`;

function scoped(name: string): string {
  const code = part(`${name}.js`);
  const exported = [...code.matchAll(/^export (?:async )?(?:const|function) (\w+)/gm)];
  const body = code
    .replace(/^import (\{[^}]*\}) from "\.\/(\w+)\.js";$/gm, "const $1 = parts.$2;")
    .replace(/^export /gm, "");
  return `parts.${name} = (() => {\n${body}\nreturn { ${exported.map(([, it]) => it).join(", ")} };\n})();`;
}

/**
 * The card of quotes and orders that a chat shows (MCP Apps): one page with nothing from elsewhere, the
 * beans' pictures in it, which fills itself with what the host hands it.
 */
export const cardPage = ({ products }: Catalog): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Coffee</title>
<style>
${part("card.css")}</style>
</head>
<body>
<main id="card" aria-live="polite"><p class="soft">One moment…</p></main>
${products.map(picture).join("\n")}
<script>
${cardScript()}
</script>
</body>
</html>
`;

/**
 * An id of the catalog has nothing in it to escape. The drawing stands in the page itself: hosts may refuse
 * an image even as `data:`. Its title is the bean's name, which stands beside it.
 */
const picture = (product: Product): string => {
  const drawn = bagPicture(product).replace(/<title>.*<\/title>|\s*\n/g, " ");
  return `<template data-bean="${product.product_id}">${drawn.trim()}</template>`;
};
