import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SERIOUS_RULES, violations } from "../../support/axe.ts";
import { launchBrowser } from "../../support/browser.ts";
import { look, openFrame } from "./frame.ts";
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

/** Rules that depend on the color scheme. */
const COLOURS = ["color-contrast", "link-in-text-block"];
/** Large text needs less contrast, so colors are checked at the usual size. */
const BUT_COLOURS = SERIOUS_RULES.filter((rule) => !COLOURS.includes(rule));

const SIZES = {
  phone: { width: 360, height: 740 },
  /** The narrowest phone that is still sold. */
  smallest: { width: 320, height: 640 },
  /** The narrowest screen on which tables are tables. */
  tablet: { width: 1024, height: 900 },
  desktop: { width: 1280, height: 900 },
  /** Half of a desktop's screen. */
  half: { width: 640, height: 900 },
};

type Size = { width: number; height: number; textSize?: string };

/** Resizes a page and returns by how much it overflows. */
const overflow = (size: Size) =>
  look(({ document, frameElement }, { width, height, textSize = "" }) => {
    const html = document.documentElement;
    html.style.fontSize = textSize;
    frameElement.style.width = `${width}px`;
    frameElement.style.height = `${height}px`;
    const { scrollWidth, clientWidth } = html;
    if (clientWidth !== width) return [`laid out at ${clientWidth} px, not at ${width}`];
    const over = scrollWidth - clientWidth;
    return over > 0 ? [`scrolls sideways at ${clientWidth} px: ${over}`] : [];
  }, size);

const CONTROLS = "button, .button, select, textarea, summary, .choice, nav a, .brand";
const INPUTS = "input:not([type=radio], [type=hidden])";

/** Controls that are too small to tap. */
const smallControls = look(
  ({ document }, controls) =>
    [...document.querySelectorAll(controls)]
      .filter((control) => control.getClientRects().length > 0)
      .filter((control) => control.getBoundingClientRect().height < 44)
      .map((control) => `under 44 px: ${control.outerHTML}`),
  `${CONTROLS}, ${INPUTS}`,
);

/** Everyday words that the line breaks apart; addresses, codes and made-up words may break. */
const brokenWords = look(
  ({ document, NodeFilter }, { may, word }) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const broken: string[] = [];
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (node.parentElement.closest(may)) continue;
      for (const { 0: found, index } of node.data.matchAll(new RegExp(word, "g"))) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + found.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) broken.push(`breaks apart: ${found}`);
      }
    }
    return broken;
  },
  {
    may: ".code, .unseen, pre, code, [href^='mailto:']",
    word: "(?<![\\w@./])[(“]?[A-Za-z]{3,11}[).,]?(?![\\w@])",
  },
);

/** Controls for words with room for only a few letters. */
const narrowControls = look((frame, controls) => {
  const { documentElement } = frame.document;
  const letter = Number.parseFloat(frame.getComputedStyle(documentElement).fontSize) / 2;
  return [...documentElement.querySelectorAll(controls)]
    .map((control) => [control, control.getBoundingClientRect().width] as const)
    .filter(([, width]) => width > 0 && width < 10 * letter)
    .map(([{ outerHTML }, width]) => `${width} px wide: ${outerHTML.slice(0, 80)}`);
}, "input:is([type=text], [type=email]):not([inputmode=numeric]), select, textarea");

/** A closed <details> would hide its text from the next looks. */
const openDetails = look(({ document }) => {
  for (const details of document.querySelectorAll("details")) details.setAttribute("open", "");
  return [];
}, null);

/** Findings on buyers' pages. */
const buyers = (found: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(found).filter(([name]) => !name.startsWith("desk")));

/** Looks at every page of the gallery in all sizes. */
async function tour() {
  const { page, complaints, inEach } = await openFrame(browser, site);
  const light = await inEach({
    onPhone: overflow(SIZES.phone),
    small: smallControls,
    opened: openDetails,
    inaccessible: look(violations, SERIOUS_RULES),
    tooLarge: overflow({ ...SIZES.smallest, textSize: "200%" }),
    broken: brokenWords,
    inaccessibleLarge: look(violations, BUT_COLOURS),
    largeOnHalf: overflow({ ...SIZES.half, textSize: "200%" }),
    brokenOnHalf: brokenWords,
    narrowOnHalf: narrowControls,
    largeOnDesktop: overflow({ ...SIZES.desktop, textSize: "200%" }),
    brokenOnDesktop: brokenWords,
    narrowOnDesktop: narrowControls,
    onTablet: overflow(SIZES.tablet),
    onDesktop: overflow(SIZES.desktop),
  });
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await inEach({
    opened: openDetails,
    onDesktop: overflow(SIZES.desktop),
    tooDim: look(violations, COLOURS),
  });
  await page.close();
  return { light, dark, complaints };
}

describe("every page in every state", () => {
  let seen: Awaited<ReturnType<typeof tour>>;
  beforeAll(async () => {
    seen = await tour();
  }, 240_000);

  test("has no serious axe violation in light, on a phone", () => {
    expect(seen.light.inaccessible).toEqual({});
  });

  test("keeps its contrast in dark, on a desktop", () => {
    expect(seen.dark).toEqual({ opened: {}, onDesktop: {}, tooDim: {} });
  });

  test("fits a phone, a tablet and a desktop, every control at least 44 px to tap", () => {
    const { onPhone, small, onTablet, onDesktop } = seen.light;
    expect({ onPhone, small, onTablet, onDesktop }).toEqual({
      onPhone: {},
      small: {},
      onTablet: {},
      onDesktop: {},
    });
  });

  test("fits 320 px with text at 200 %, its words whole, and has no serious axe violation there", () => {
    const { tooLarge, broken, inaccessibleLarge } = seen.light;
    expect({ tooLarge, broken: buyers(broken), inaccessibleLarge }).toEqual({
      tooLarge: {},
      broken: {},
      inaccessibleLarge: {},
    });
  });

  test("fits half and all of a desktop with text at 200 %, its words whole, its fields wide enough", () => {
    const { largeOnHalf, narrowOnHalf, brokenOnHalf } = seen.light;
    const { largeOnDesktop, narrowOnDesktop, brokenOnDesktop } = seen.light;
    expect({ largeOnHalf, narrowOnHalf, largeOnDesktop, narrowOnDesktop }).toEqual({
      largeOnHalf: {},
      narrowOnHalf: {},
      largeOnDesktop: {},
      narrowOnDesktop: {},
    });
    expect([buyers(brokenOnHalf), buyers(brokenOnDesktop)]).toEqual([{}, {}]);
  });

  test("keeps the content security policy and loads nothing but its own files", () => {
    expect(seen.complaints).toEqual([]);
  });
});

/** The focused element, if the bar covers a part of it. */
const BEHIND_THE_BAR = `(() => {
  const [bar, here] = [document.querySelector(".cart-bar"), document.activeElement];
  const [above, its] = [bar, here].map((one) => one.getBoundingClientRect());
  const covered = its.bottom > above.top && its.top < above.bottom && !bar.contains(here);
  return covered && here !== document.body ? [here.outerHTML] : [];
})()`;

describe("the desk on the smallest phone", () => {
  test("shows daily places in three rows, the rarer behind More, and at most two lines for each task", async () => {
    const page = await browser.newPage({ viewport: SIZES.smallest, javaScriptEnabled: false });
    await page.goto(`${site.url}/desk-today`);
    const boxes = async (of: string) =>
      (await Promise.all((await page.locator(of).all()).map((one) => one.boundingBox()))).map(
        (box) => box!,
      );
    const rows = async (of: string) =>
      new Set((await boxes(of)).map(({ y }) => Math.round(y))).size;
    const places = page.locator(".desk-nav a:visible");
    expect(await places.count()).toBe(7);
    expect(await rows(".desk-nav a:visible")).toBeLessThanOrEqual(3);
    await page.locator(".desk-more summary").click();
    expect(await places.count()).toBe(15);
    await page.locator(".desk-more summary").click();
    const tallest = Math.max(...(await boxes(".trays > li")).map(({ height }) => height));
    expect(tallest).toBeLessThan(80);
    await page.close();
  });
});

describe("without JavaScript", () => {
  let page: Page;
  beforeAll(async () => {
    page = await browser.newPage({ viewport: SIZES.phone, javaScriptEnabled: false });
  });

  const visit = (name: string) => page.goto(`${site.url}/${name}`);

  test("the summary of problems has the focus, and its links lead to the fields", async () => {
    await visit("checkout-problems");
    await page.waitForSelector("#problems:focus");
    await page.keyboard.press("Tab");
    expect(await page.getAttribute(":focus", "href")).toBe("#email");
    await page.click("#problems a[href='#postal_code']");
    expect(new URL(page.url()).hash).toBe("#postal_code");
    expect(await page.getAttribute("#postal_code", "aria-invalid")).toBe("true");
    expect(await page.inputValue("#email")).toBe("nobody");
  });

  test("the cart bar never covers the focused element, with text at 200 %", async () => {
    await visit("shop-cart");
    await page.evaluate('document.documentElement.style.fontSize = "200%"');
    const behind: string[] = [];
    for (let stops = 0; stops < 25; stops++) {
      await page.keyboard.press("Tab");
      behind.push(...(await page.evaluate<string[]>(BEHIND_THE_BAR)));
    }
    expect(behind).toEqual([]);
  });

  test("the pay button is fully visible on the narrowest phone in every state", async () => {
    await page.setViewportSize(SIZES.smallest);
    const hidden: string[] = [];
    const payable = Object.keys(gallery).filter((name) =>
      gallery[name]!.includes('<form class="pay'),
    );
    for (const name of payable.filter((one) => one.startsWith("review-"))) {
      await visit(name);
      const box = async (of: string) => (await page.locator(of).boundingBox())!;
      const button = await box(".pay button");
      if (button.y + button.height > SIZES.smallest.height) hidden.push(name);
      await page.evaluate("scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })");
      const [foot, bar] = [await box(".foot"), await box(".pay")];
      const covered = bar.y < foot.y + foot.height && bar.y + bar.height > foot.y;
      if (covered) hidden.push(`the foot of ${name}`);
    }
    await page.setViewportSize(SIZES.phone);
    expect(hidden).toEqual([]);
  });

  test("another number of bags, or none, shows Update the total in place of the total", async () => {
    await visit("shop-cart");
    const shown = async () => [
      await page.locator(".cart-sums").isVisible(),
      await page.locator(".retotal").isVisible(),
    ];
    expect(await shown()).toEqual([true, false]);
    for (const typed of ["3", ""]) {
      await page.fill("[name='qty_kenya-nyeri']", typed);
      expect([typed, await shown()]).toEqual([typed, [false, true]]);
    }
  });

  test("Enter in a number field updates the cart and adds no bean", async () => {
    await visit("shop-cart");
    await page.fill("[name='qty_kenya-nyeri']", "3");
    await page.press("[name='qty_kenya-nyeri']", "Enter");
    const sent = new URLSearchParams(site.posted?.body);
    expect(site.posted?.path).toBe("/cart");
    expect(sent.get("qty_kenya-nyeri")).toBe("3");
    expect(["add", "more", "less", "remove", "go"].filter((name) => sent.has(name))).toEqual([]);
  });
});
