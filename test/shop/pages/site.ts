import { createServer } from "node:http";
import { bagPicture } from "../../../src/web/bag.ts";
import { styleSheet } from "../../../src/web/documents.ts";
import { listenLocally } from "../../support/loopback.ts";
import { gallery } from "./gallery.ts";

const style = styleSheet();

/** The only script of any page; the service allows it at the desk. */
const WORKLIST_SCRIPT = "/desk/worklist.js";

/** As strict as the service's own policy. */
const contentSecurityPolicy = (url: string): string =>
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; " +
  `script-src ${url}${WORKLIST_SCRIPT}`;

const IMAGE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>`;

/** A bag of its own for every bean of the views. */
const bagOf = (path: string): string =>
  bagPicture({
    name_to_use_with_humans: path.includes("kenya") ? "Kenya Nyeri" : "Rwanda Huye",
    roast_level: "Light",
    decaf: path.includes("decaf"),
    facts: {
      country: path.includes("kenya") ? "Kenya" : "Rwanda",
      region: path,
      process: "Natural",
      tasting_notes: [path.includes("yemen") ? "jasmine" : "blueberry"],
    },
  });

export interface Site {
  url: string;
  /** The last POST. */
  posted: { path: string; origin: string | undefined; body: string } | null;
  close(): Promise<void>;
}

/** A window for pages of the gallery, without a policy of its own. */
const FRAME = `<!doctype html><title>Gallery</title><link rel="icon" href="data:,">
<style>iframe { border: 0; visibility: hidden }</style>
<iframe src="/not-found"></iframe>`;

/** The gallery behind a real address: `/<name of the page>`, or `/`. A POST is answered with a page too. */
export async function openSite(): Promise<Site> {
  const site: Site = { url: "", posted: null, close: () => Promise.resolve() };
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    if (request.method === "POST") {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks).toString();
      site.posted = { path, origin: request.headers.origin, body };
    }
    if (path === "/") return response.setHeader("Content-Type", "text/html").end(FRAME);
    response.setHeader("Content-Security-Policy", contentSecurityPolicy(site.url));
    response.setHeader("Referrer-Policy", "no-referrer");
    if (path.startsWith("/assets/")) response.setHeader("Cache-Control", "max-age=3600");
    if (path === "/assets/style.css") response.setHeader("Content-Type", "text/css").end(style);
    else if (path === WORKLIST_SCRIPT) response.setHeader("Content-Type", "text/javascript").end();
    else if (path === "/assets/coffee.jpg")
      response.setHeader("Content-Type", "image/svg+xml").end(IMAGE);
    else if (path.startsWith("/assets/beans/"))
      response.setHeader("Content-Type", "image/svg+xml").end(bagOf(path));
    else {
      response.setHeader("Content-Type", "text/html; charset=utf-8");
      response.end(gallery[path.slice(1)] ?? gallery["not-found"]);
    }
  });
  site.url = `http://127.0.0.1:${await listenLocally(server)}`;
  site.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return site;
}
