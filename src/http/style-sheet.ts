import { readFileSync } from "node:fs";

/** In the order in which later rules win over earlier ones; print has the last word. */
const PARTS = [
  "base",
  "layout",
  "frame",
  "slips",
  "order",
  "forms",
  "sandbox",
  "landing",
  "beans",
  "cart",
  "desk",
  "records",
  "print",
];

/** Every page's style, served as one file: one request, kept by the browser from page to page. */
export const styleSheet = (): string =>
  PARTS.map((part) =>
    readFileSync(new URL(`./pages/styles/${part}.css`, import.meta.url), "utf8"),
  ).join("\n");
