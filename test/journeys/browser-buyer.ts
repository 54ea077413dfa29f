/** A person in front of a real browser without JavaScript. */
import type { Page } from "playwright-core";

/** How a buyer's browser is opened. */
export const WITHOUT_SCRIPTS = { javaScriptEnabled: false } as const;

/** Reports what the browser blocked, could not find, or sent to another site. */
export function watched(
  page: Page,
  {
    baseUrl,
    complain,
    refused,
  }: {
    baseUrl: string;
    complain: (words: string) => void;
    /** Of each 4xx and 5xx: a form sent back for mending is one. */
    refused?: (answer: string) => void;
  },
): Page {
  page.setDefaultTimeout(5000);
  page.on("console", (message) => {
    // Chromium remarks on every refusal.
    if (!message.text().startsWith("Failed to load resource")) complain(message.text());
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(baseUrl)) complain(`foreign: ${request.url()}`);
  });
  page.on("response", (response) => {
    const answer = `${response.status()}: ${response.url()}`;
    if (response.status() >= 400) refused?.(answer);
    if (response.status() === 404) complain(answer);
  });
  return page;
}

/** What a buyer reads and does on the page in front of them. */
export function buyerAt(current: () => Page) {
  const heading = () => current().locator("h1").innerText();
  const state = () => current().locator("main").getAttribute("data-state");
  const main = () => current().locator("main").innerText();
  const title = (words: string) => current().waitForSelector(`h1:has-text("${words}")`);
  const press = (name: string | RegExp) => current().getByRole("button", { name }).click();
  return {
    heading,
    state,
    main,
    title,
    press,
    /** Found as autofill finds them: by what the fields say they are for. */
    async fillIn(email: string) {
      const by = (purpose: string) => current().locator(`[autocomplete="${purpose}"]`);
      await by("email").fill(email);
      await by("shipping name").fill("Test Buyer");
      await by("shipping address-line1").fill("1 Main Street");
      await by("shipping address-level2").fill("Austin");
      await by("shipping address-level1").selectOption({ label: "Texas (TX)" });
      await by("shipping postal-code").fill("78701");
    },
    async payWith(card: RegExp) {
      await current().getByLabel(card).check();
      await press(/^Pay .* \(pretend\)$/);
    },
    /** Back from paying: the page waits for the provider's word, and offers to look again. */
    async thanked() {
      await current().waitForURL(/\/review\//);
      for (let looks = 0; looks < 20; looks++) {
        if ((await state()) === "ORDERED") return;
        await current().getByRole("link", { name: "Check again" }).click();
      }
      throw new Error("the payment was not confirmed");
    },
  };
}
