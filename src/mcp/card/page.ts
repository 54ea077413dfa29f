import { readFileSync } from "node:fs";
import type { Catalog, Product } from "../../catalog/catalog.ts";
import { bagPicture } from "../../web/bag.ts";
import { styleSheet } from "../../web/documents.ts";

/** Media type of a page in MCP Apps (SEP-1865). */
export const CARD_MIME = "text/html;profile=mcp-app";

/** Declares no origins, so hosts block all network access. */
export const CARD_UI = { csp: {}, prefersBorder: true };

/** `npm run build` bundles main.ts into one script, because a card may load nothing. */
export const CARD_SCRIPT = new URL("../../../dist/card.js", import.meta.url);

/** The hosts' names for the pages' colors and font. */
const HOST_NAMES: Record<string, string> = {
  "--paper": "--color-background-primary",
  "--card": "--color-background-primary",
  "--note": "--color-background-secondary",
  "--ink": "--color-text-primary",
  "--soft": "--color-text-secondary",
  "--line": "--color-border-primary",
  "--sans": "--font-sans",
};

const read = (file: URL): string => readFileSync(file, "utf8");

/**
 * The pages' styles, with the host's colors and font where it names them. It also names the color scheme,
 * which the card's frame does not inherit.
 */
const cardStyles = (): string =>
  `${styleSheet("base layout frame slips order forms")}\n${read(new URL("./card.css", import.meta.url))}`
    .replace(
      /@media screen and \(prefers-color-scheme: dark\) \{\s*:root/,
      '@media screen {\n  :root[data-theme="dark"]',
    )
    .replace(/var\((--\w+)\)/g, (own, name) =>
      name in HOST_NAMES ? `var(${HOST_NAMES[name]}, ${own})` : own,
    );

/** Page of the card for quotes and orders. It contains everything, and shows the results the host sends. */
export const cardPage = ({ products }: Catalog): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Coffee</title>
<style>
${cardStyles()}</style>
</head>
<body>
<main id="card" aria-live="polite"><p class="hint">One moment…</p></main>
${products.map(picture).join("\n")}
<script type="module">
${read(CARD_SCRIPT)}</script>
</body>
</html>
`;

/**
 * Inlines a drawing, because hosts may refuse even `data:` images. Catalog ids need no escaping. The title
 * repeats the bean's name beside it.
 */
const picture = (product: Product): string => {
  const drawn = bagPicture(product)
    .replace(/<title>.*<\/title>|\s*\n/g, " ")
    .replace('role="img"', 'class="line-picture" aria-hidden="true"');
  return `<template data-bean="${product.product_id}">${drawn.trim()}</template>`;
};
