import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { gallery } from "./gallery.ts";
import { openSite, type Site } from "./site.ts";

let browser: Browser;
let site: Site;

beforeAll(async () => {
  [browser, site] = await Promise.all([launchBrowser(), openSite()]);
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

const names = Object.keys(gallery);
const phone = { viewport: { width: 360, height: 740 } };

/** Visits every page of the gallery in one window and gathers what `look` finds, by page. */
async function tour<T>(
  options: BrowserContextOptions,
  look: (page: Page, name: string) => Promise<T[]>,
  watch: (page: Page) => void = () => {},
) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  watch(page);
  const found: Record<string, T[]> = {};
  for (const name of names) {
    await page.goto(`${site.url}/${name}`);
    const things = await look(page, name);
    if (things.length > 0) found[name] = things;
  }
  await context.close();
  return found;
}

/** Serious axe violations; `rules` narrows it down to what a colour scheme can change. */
async function violations(page: Page, rules?: string[]) {
  // A closed <details> hides its text from the check.
  await page.locator("details").evaluateAll((all) => {
    for (const details of all) details.setAttribute("open", "");
  });
  // Legacy mode spares a second page for every check; these pages have no frames to look into.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
}

const CONTROLS = "button, .button, select, textarea, summary, .choice, nav a, .brand";
const INPUTS = "input:not([type=radio], [type=hidden])";

/** What does not fit a thumb, and what does not fit the screen. */
async function misfits(page: Page): Promise<string[]> {
  const small = await page
    .locator(`${CONTROLS}, ${INPUTS}`)
    .evaluateAll((all) =>
      all
        .filter((control) => control.getBoundingClientRect().height < 44)
        .map((control) => `under 44 px: ${control.outerHTML}`),
    );
  const wide = await page
    .locator("html")
    .evaluate(({ scrollWidth, clientWidth }) =>
      scrollWidth > clientWidth ? [`scrolls sideways: ${scrollWidth} > ${clientWidth}`] : [],
    );
  return [...small, ...wide];
}

/** What a phone shows of every page, gathered on one tour: it is the longest part of these tests. */
function phoneTour() {
  const complaints: string[] = [];
  const misfitting: Record<string, string[]> = {};
  const watch = (page: Page) => {
    page.on("console", (message) => complaints.push(`${page.url()}: ${message.text()}`));
    page.on("request", (request) => {
      if (!request.url().startsWith(site.url)) complaints.push(`foreign: ${request.url()}`);
    });
  };
  const look = async (page: Page, name: string) => {
    const found = await misfits(page);
    if (found.length > 0) misfitting[name] = found;
    return violations(page);
  };
  const options = { ...phone, colorScheme: "light" } as const;
  return tour(options, look, watch).then((inaccessible) => ({
    inaccessible,
    misfitting,
    complaints,
  }));
}

describe("every page in every state", () => {
  let seen: Awaited<ReturnType<typeof phoneTour>>;
  beforeAll(async () => {
    seen = await phoneTour();
  }, 120_000);

  test("has no serious axe violation in light, on a phone", () => {
    expect(seen.inaccessible).toEqual({});
  });

  test("keeps its contrast in dark, on a desktop", async () => {
    const options = { viewport: { width: 1280, height: 900 }, colorScheme: "dark" } as const;
    const rules = ["color-contrast", "link-in-text-block"];
    expect(await tour(options, (page) => violations(page, rules))).toEqual({});
  }, 120_000);

  test("fits 360 px without scrolling sideways, every control at least 44 px to tap", () => {
    expect(seen.misfitting).toEqual({});
  });

  test("keeps the content security policy and loads nothing but its own files", () => {
    expect(seen.complaints).toEqual([]);
  });
});

describe("without JavaScript", () => {
  /** The page as a person meets it, with scripts switched off. */
  async function visit<T>(name: string, act: (page: Page) => Promise<T>): Promise<T> {
    const context = await browser.newContext({ ...phone, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${site.url}/${name}`);
    try {
      return await act(page);
    } finally {
      await context.close();
    }
  }

  test("Pay posts an empty form with our own Origin, even under a no-referrer header", async () => {
    await visit("review-payable", (page) => page.click("text=Pay $64.00"));
    expect(site.posted).toEqual({ path: "/review/sample-token", origin: site.url, body: "" });
  });

  test("the address form posts all its fields, and the accepted total", async () => {
    await visit("checkout-higher-total", async (page) => {
      await page.fill("[name=name]", "Test Buyer");
      await page.selectOption("[name=region]", "OR");
      await page.click("button[type=submit]");
    });
    expect(site.posted?.path).toBe("/checkout/sample-token");
    expect(Object.fromEntries(new URLSearchParams(site.posted?.body))).toEqual({
      email: "buyer@example.com",
      name: "Test Buyer",
      line1: "",
      line2: "",
      city: "",
      region: "OR",
      postal_code: "",
      accept_total: "6400",
    });
  });

  test("a problem in the summary leads to its field", async () => {
    await visit("checkout-problems", async (page) => {
      await page.click("#problems a[href='#postal_code']");
      expect(new URL(page.url()).hash).toBe("#postal_code");
      expect(await page.getAttribute("#postal_code", "aria-invalid")).toBe("true");
      expect(await page.inputValue("#email")).toBe("buyer@example.com");
    });
  });

  test("the bank's question posts the answer that was clicked", async () => {
    await visit("sandbox-challenge", async (page) => {
      expect(await page.locator("button").allTextContents()).toEqual(["Approve", "Refuse"]);
      expect(await page.getAttribute("button >> nth=1", "value")).toBe("fail");
    });
  });

  test("the whole row of a test card is its tap target", async () => {
    await visit("sandbox-pay", async (page) => {
      await page.locator(".choice").nth(2).click();
      expect(await page.isChecked("[value='4000000000003220']")).toBe(true);
    });
  });

  test("the link builder asks for bags per bean, with the address in plain sight", async () => {
    await visit("landing", async (page) => {
      await page.fill("[name='qty_sample-natural']", "2");
      await page.click("text=Make the link");
      const { pathname, searchParams } = new URL(page.url());
      expect(pathname).toBe("/quick-checkout-link");
      expect(searchParams.get("qty_sample-natural")).toBe("2");
      expect(searchParams.has("qty_sample-geisha")).toBe(false);
    });
  });
});
