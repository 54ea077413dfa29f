import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AXE, SERIOUS_RULES, violations } from "../../support/axe.ts";
import { launchBrowser } from "../../support/browser.ts";
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

/** What a colour scheme can change. */
const COLOURS = ["color-contrast", "link-in-text-block"];
/** Large text has less to keep of contrast, so colours are left to the usual size. */
const BUT_COLOURS = SERIOUS_RULES.filter((rule) => !COLOURS.includes(rule));

/** A closed <details> hides its text from the check. */
async function openDetails(page: Page) {
  await page.locator("details").evaluateAll((all) => {
    for (const details of all) details.setAttribute("open", "");
  });
}

async function violationsInDark(page: Page) {
  await page.emulateMedia({ colorScheme: "dark" });
  const found = await violations(page, COLOURS);
  await page.emulateMedia({ colorScheme: "light" });
  return found;
}

const SMALLEST = { width: 320, height: 640 };
/** The narrowest screen on which tables are tables. */
const TABLET = { width: 1024, height: 900 };
const DESKTOP = { width: 1280, height: 900 };

/** On the narrowest phone, with text twice as large. */
async function faultsInLargeText(page: Page) {
  await page.setViewportSize(SMALLEST);
  // The page's policy would refuse a style element.
  const zoom = (size: string) =>
    page.locator("html").evaluate((html, size) => {
      html.style.fontSize = size;
    }, size);
  await zoom("200%");
  const found = [...(await overflow(page)), ...(await violations(page, BUT_COLOURS))];
  await zoom("");
  return found;
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
  return [...small, ...(await overflow(page))];
}

const overflow = (page: Page): Promise<string[]> =>
  page
    .locator("html")
    .evaluate(({ scrollWidth, clientWidth }) =>
      scrollWidth > clientWidth
        ? [`scrolls sideways at ${clientWidth} px: ${scrollWidth - clientWidth}`]
        : [],
    );

type Found = Record<string, string[]>;

/** Visits every page of the gallery, once: loading them takes longer than looking at them. */
async function tour() {
  const context = await browser.newContext({ ...phone, colorScheme: "light" });
  await context.addInitScript({ content: AXE });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(`${page.url()}: ${message.text()}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(site.url)) complaints.push(`foreign: ${request.url()}`);
  });
  const misfitting: Found = {};
  const inaccessible: Found = {};
  const tooDim: Found = {};
  const tooLarge: Found = {};
  for (const name of names) {
    await page.setViewportSize(phone.viewport);
    await page.goto(`${site.url}/${name}`);
    misfitting[name] = await misfits(page);
    await openDetails(page);
    inaccessible[name] = await violations(page, SERIOUS_RULES);
    tooLarge[name] = await faultsInLargeText(page);
    await page.setViewportSize(TABLET);
    misfitting[name].push(...(await overflow(page)));
    await page.setViewportSize(DESKTOP);
    misfitting[name].push(...(await overflow(page)));
    tooDim[name] = await violationsInDark(page);
  }
  await context.close();
  return { misfitting, inaccessible, tooDim, tooLarge, complaints };
}

/** The pages with something to find fault with. */
const faults = (found: Found): Found =>
  Object.fromEntries(Object.entries(found).filter(([, things]) => things.length > 0));

describe("every page in every state", () => {
  let seen: Awaited<ReturnType<typeof tour>>;
  beforeAll(async () => {
    seen = await tour();
  }, 240_000);

  test("has no serious axe violation in light, on a phone", () => {
    expect(faults(seen.inaccessible)).toEqual({});
  });

  test("keeps its contrast in dark, on a desktop", () => {
    expect(faults(seen.tooDim)).toEqual({});
  });

  test("fits a phone, a tablet and a desktop, every control at least 44 px to tap", () => {
    expect(faults(seen.misfitting)).toEqual({});
  });

  test("fits 320 px with text at 200 %, and has no serious axe violation there", () => {
    expect(faults(seen.tooLarge)).toEqual({});
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

  test("Enter in a number of the cart updates it, and adds no bean", async () => {
    await visit("shop-cart", async (page) => {
      await page.fill("[name='qty_sample-natural']", "3");
      await page.press("[name='qty_sample-natural']", "Enter");
      const { pathname, searchParams } = new URL(page.url());
      expect(pathname).toBe("/cart");
      expect(searchParams.get("qty_sample-natural")).toBe("3");
      expect(["add", "remove", "go"].filter((name) => searchParams.has(name))).toEqual([]);
    });
  });
});
