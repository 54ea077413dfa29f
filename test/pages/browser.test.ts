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
async function tour<T>(options: BrowserContextOptions, look: (page: Page) => Promise<T[]>) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const found: Record<string, T[]> = {};
  for (const name of names) {
    await page.goto(`${site.url}/${name}`);
    const things = await look(page);
    if (things.length > 0) found[name] = things;
  }
  await context.close();
  return found;
}

async function violations(page: Page) {
  // A closed <details> hides its text from the check.
  await page.locator("details").evaluateAll((all) => {
    for (const details of all) details.setAttribute("open", "");
  });
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
}

describe("every page in every state", () => {
  test.each([
    ["light, on a phone", { ...phone, colorScheme: "light" }],
    ["dark, on a desktop", { viewport: { width: 1280, height: 900 }, colorScheme: "dark" }],
  ] as const)(
    "has no serious axe violation in %s",
    async (_name, options) => {
      expect(await tour(options, violations)).toEqual({});
    },
    120_000,
  );

  test("never scrolls sideways at 360 px", async () => {
    const wide = await tour(phone, (page) =>
      page
        .locator("html")
        .evaluate(({ scrollWidth, clientWidth }) =>
          scrollWidth > clientWidth ? [`${scrollWidth} > ${clientWidth}`] : [],
        ),
    );
    expect(wide).toEqual({});
  });

  test("gives every control at least 44 px to tap", async () => {
    const controls = "button, .button, select, textarea, summary, .choice, nav a, .brand";
    const inputs = "input:not([type=radio], [type=hidden])";
    const small = await tour(phone, (page) =>
      page
        .locator(`${controls}, ${inputs}`)
        .evaluateAll((all) =>
          all
            .filter((control) => control.getBoundingClientRect().height < 44)
            .map((control) => control.outerHTML),
        ),
    );
    expect(small).toEqual({});
  });

  test("keeps the content security policy and loads nothing but its own files", async () => {
    const context = await browser.newContext(phone);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(`${page.url()}: ${message.text()}`));
    page.on("request", (request) => {
      if (!request.url().startsWith(site.url)) complaints.push(`foreign: ${request.url()}`);
    });
    for (const name of names) await page.goto(`${site.url}/${name}`);
    await context.close();
    expect(complaints).toEqual([]);
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
