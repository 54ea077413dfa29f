import { Agent, request } from "node:http";
import { keepAsking } from "./in-flight.ts";
import type { Load, Stretch } from "./messages.ts";
import { CHECKOUT_ORIGIN } from "./shop.ts";

/** Buyers press pay, each on a page of his own: a page that is pressed twice starts nothing. */
export async function press(load: Load, reviews: readonly string[]): Promise<Stretch> {
  const agent = new Agent({ keepAlive: true, maxSockets: load.connections });
  const pages = reviews.values();
  const stretch = await keepAsking(load, () => {
    const { value: page } = pages.next();
    return page === undefined ? undefined : startsPaying(new URL(page, load.target.url), agent);
  });
  agent.destroy();
  return stretch;
}

/** Whether the browser is sent to the provider's page. */
function startsPaying(url: URL, agent: Agent): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: "POST", agent }, (answer) => {
      const { location } = answer.headers;
      answer.once("error", reject);
      answer.once("end", () => resolve(location?.startsWith(CHECKOUT_ORIGIN) ?? false));
      answer.resume();
    });
    asked.once("error", reject);
    asked.end();
  });
}
