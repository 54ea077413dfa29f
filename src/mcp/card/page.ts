import { readFileSync } from "node:fs";
import type { Catalog, Product } from "../../catalog/catalog.ts";
import { bagPicture } from "../../web/bag.ts";

/** Media type of a page in MCP Apps (SEP-1865). */
export const CARD_MIME = "text/html;profile=mcp-app";

/** Declares no origins, so hosts block all network access. */
export const CARD_UI = { csp: {}, prefersBorder: true };

/** Modules in the order of their imports. */
const PARTS = ["words", "host", "quote", "order", "main"];

const part = (name: string): string => readFileSync(new URL(`./${name}`, import.meta.url), "utf8");

/** Joins the modules into one script, because a card may load nothing. Each keeps its own scope. */
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

/** Page of the card for quotes and orders. It contains everything, and shows the results the host sends. */
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
 * Inlines a drawing, because hosts may refuse even `data:` images. Catalog ids need no escaping. The title
 * repeats the bean's name beside it.
 */
const picture = (product: Product): string => {
  const drawn = bagPicture(product).replace(/<title>.*<\/title>|\s*\n/g, " ");
  return `<template data-bean="${product.product_id}">${drawn.trim()}</template>`;
};
