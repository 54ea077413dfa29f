import axe from "axe-core";
import type { Browser } from "playwright-core";
import { gallery } from "./gallery.ts";
import type { Site } from "./site.ts";

/** What was found wrong, by the page's name in the gallery. */
type Found = Record<string, string[]>;

/** Runs in the browser and sees nothing from around it; some of the DOM's types are not declared here. */
// biome-ignore lint/suspicious/noExplicitAny: a window
type See<T> = (frame: any, argument: T) => string[] | Promise<string[]>;

/** One way to look at a page, as it is sent to the browser. */
type Look = readonly [source: string, argument: unknown];
export const look = <T>(see: See<T>, argument: T): Look => [see.toString(), argument];

/**
 * A window under the pages' own policy, into which every page of the gallery is written. It stays the same
 * window from page to page: so axe is read once, and what the browser compiled of it serves all of them,
 * which is half the CPU of a window for each. Nothing is painted.
 */
export async function openFrame(browser: Browser, site: Site) {
  const page = await browser.newPage({ colorScheme: "light" });
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(`${message.location().url}: ${message.text()}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(site.url)) complaints.push(`foreign: ${request.url()}`);
  });
  await page.goto(site.url);
  const frame = page.locator("iframe");
  await frame.evaluate(({ contentWindow }, source) => {
    new Function("window", source)(contentWindow);
  }, axe.source);

  /** What the looks say of each page, one after the other. */
  const inEach = <Name extends string>(looks: Record<Name, Look>): Promise<Record<Name, Found>> =>
    frame.evaluate(
      async (frame, [pages, looks]) => {
        const { contentWindow, contentDocument } = frame;
        const found = Object.fromEntries(looks.map(([name]) => [name, {} as Found]));
        const ways = looks.map(([name, [source, argument]]) => ({
          said: found[name]!,
          see: new Function(`return ${source}`)() as See<unknown>,
          argument,
        }));
        for (const [name, html] of pages) {
          const { promise: loaded, resolve } = Promise.withResolvers<void>();
          // In the midst of its load event a document cannot be opened for the next.
          frame.addEventListener("load", () => setTimeout(resolve), { once: true });
          contentDocument.open();
          contentWindow.history.replaceState(null, "", `/${name}`);
          contentDocument.write(html);
          contentDocument.close();
          await loaded;
          for (const { said, see, argument } of ways) {
            const things = await see(contentWindow, argument);
            if (things.length > 0) said[name] = things;
          }
        }
        return found as Record<Name, Found>;
      },
      [Object.entries(gallery), Object.entries<Look>(looks)] as const,
    );

  return { page, complaints, inEach };
}
