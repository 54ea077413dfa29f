import type { Response } from "express";
import { type Document, json, TEXT } from "../web/documents.ts";
import type { Api } from "./api.ts";

/** Documents that let a client start from the base URL alone (contract §18). */
export const discoveryDocuments = ({ service: { merchant }, edge }: Api): Document[] => [
  json("/agent-info", () => merchant.information.agentInfo("endpoints"), { changes: true }),
  {
    path: "/robots.txt",
    type: TEXT,
    body: () =>
      `User-agent: *\n${SECRET_PATHS.map((path) => `Disallow: ${path}\n`).join("")}\nSitemap: ${edge.baseUrl}/sitemap.xml\n`,
    maxAge: 3600,
  },
  {
    path: "/sitemap.xml",
    type: "application/xml; charset=utf-8",
    body: () => sitemap(edge.baseUrl, merchant.catalog.products),
    changes: true,
    maxAge: 3600,
  },
  ...(merchant.supportEmail === undefined ? [] : [securityText(merchant.supportEmail, edge)]),
];

const SECURITY_TXT = "/.well-known/security.txt";

/** Paths with a token, and the desk. */
const SECRET_PATHS = [
  "/review/",
  "/checkout/",
  "/sandbox/",
  "/waitlist",
  "/cart",
  "/find-order",
  "/desk",
];

/** Pages for search engines. */
const PUBLIC_PAGES = ["/", "/llms.txt", "/shipping", "/privacy", "/errors"];

const sitemap = (baseUrl: string, beans: readonly { product_id: string }[]): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...[...PUBLIC_PAGES, ...beans.map(({ product_id: id }) => `/beans/${id}`)].map(
      (path) => `  <url><loc>${baseUrl}${path}</loc></url>`,
    ),
    "</urlset>",
    "",
  ].join("\n");

/** Sets links of the front page (RFC 8288, 8631). */
export function linkHeader(res: Response): void {
  res.setHeader(
    "Link",
    [
      '</openapi.json>; rel="service-desc"; type="application/json"',
      '</llms.txt>; rel="service-doc"; type="text/markdown"',
      '</agent-info>; rel="service-meta"; type="application/json"',
    ].join(", "),
  );
}

/** RFC 9116 requires a contact address. */
const securityText = (supportEmail: string, { baseUrl, clock }: Api["edge"]): Document => ({
  path: SECURITY_TXT,
  type: TEXT,
  changes: true,
  body: () =>
    [
      `Contact: mailto:${supportEmail}`,
      `Expires: ${monthsLater(clock()).toISOString()}`,
      "Preferred-Languages: en",
      `Canonical: ${baseUrl}${SECURITY_TXT}`,
      "",
    ].join("\n"),
});

/** RFC 9116 recommends less than a year. The value stays the same for a month, for caches. */
function monthsLater(now: number): Date {
  const date = new Date(now);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 7, 1));
}
