import axe from "axe-core";
import type { Browser } from "playwright-core";
import type { Site } from "./site.ts";

/** What was found wrong, by the page's name in the gallery. */
export type Found = Record<string, string[]>;

/** Runs in the browser and sees nothing from around it; some of the DOM's types are not declared here. */
// biome-ignore lint/suspicious/noExplicitAny: a window
type Look<T> = (frame: any, argument: T) => string[] | Promise<string[]>;

/**
 * Every page of the gallery, each in a frame as large as the window it would have, under its own policy. To load
 * and lay them out together takes half the CPU of visiting one after the other. axe is one function for all of
 * them, so that what has been compiled of it stays compiled.
 */
export async function openFrames(browser: Browser, site: Site) {
  const page = await browser.newPage({ colorScheme: "light" });
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(`${message.location().url}: ${message.text()}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(site.url)) complaints.push(`foreign: ${request.url()}`);
  });
  await page.goto(site.url);
  const frames = page.locator("iframe");
  await frames.evaluateAll((all, source) => {
    const axeIn = new Function("window", source);
    for (const { contentWindow } of all) axeIn(contentWindow);
  }, axe.source);

  /** What `look` says of each page's window. */
  const inEach = <T>(look: Look<T>, argument: T): Promise<Found> =>
    frames.evaluateAll(
      async (all, [source, argument]) => {
        const look = new Function(`return ${source}`)();
        const found: Found = {};
        for (const { name, contentWindow } of all) {
          const things = await look(contentWindow, argument);
          if (things.length > 0) found[name] = things;
        }
        return found;
      },
      [look.toString(), argument] as const,
    );

  return { page, complaints, inEach };
}
