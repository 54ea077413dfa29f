import axe from "axe-core";
import type { Browser } from "playwright-core";
import { gallery } from "./gallery.ts";
import type { Site } from "./site.ts";

/** Findings by the page's name in the gallery. */
type Found = Record<string, string[]>;

/** Runs in the browser, so it can't use the surrounding code. Some DOM types are not declared here. */
// biome-ignore lint/suspicious/noExplicitAny: a window
type See<T> = (frame: any, argument: T) => string[] | Promise<string[]>;

/** One way to look at a page, as it is sent to the browser. */
type Look = readonly [source: string, argument: unknown];
export const look = <T>(see: See<T>, argument: T): Look => [see.toString(), argument];

/**
 * A window under the pages' policy, into which every page of the gallery is written. One window for all
 * pages compiles axe once, which halves the CPU time. Nothing is painted.
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

  /** Runs the looks on each page, one after the other. */
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
          // A document cannot be reopened during its load event.
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
