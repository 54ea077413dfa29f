import { afterAll, describe, expect, test } from "vitest";
import { perform } from "../../../src/api/perform.ts";
import { buildQuickCheckoutLink } from "../../../tools/checkouts.ts";
import { form, newEmail, purchase } from "../../support/purchase.ts";
import { DAY, START, startService } from "../../support/service.ts";
import { send } from "../../support/shopper.ts";
import { text } from "../pages/reading.ts";
import { BROWSER, openLink } from "./checkout.ts";

const shop = await startService();
afterAll(() => shop.stop());

const open = (link: string, headers: Record<string, string> = {}) =>
  openLink(shop.baseUrl, link, headers);

describe("a link written by hand", () => {
  test("works with HTML escapes", async () => {
    const plain = "items=kenya-nyeri:1&discount_code=FIRSTBAG&format=json";
    const { body } = await open(plain.replaceAll("&", "&amp;"));
    expect(body.pricing.total_minor).toBe(2760);
    const twice = await open("items=kenya-nyeri:1&amp;items=kenya-nyeri:2");
    expect(twice.body.errors).toMatchObject([{ pointer: "/items", code: "REPEATED" }]);
  });

  test("with JSON as its items is refused with the right format for each part", async () => {
    const items = JSON.stringify([{ product_id: "kenya-nyeri", quantity: 2 }]);
    const { body } = await open(`items=${encodeURIComponent(items)}`);
    const detail = "Write each as <product_id>:<number of bags>.";
    expect(body.errors).toMatchObject([{ detail }, { detail }]);
  });

  test.each([
    ["discount", "discount_code"],
    ["Discount_Code", "discount_code"],
    ["coupon", "discount_code"],
    ["note", "gift_note"],
    ["gift-note", "gift_note"],
    ["email", "buyer_email"],
    ["ITEMS", "items"],
    ["quantity", "qty"],
    ["product_id", "bag"],
  ])("is refused for a misspelled parameter instead of losing it: %s", async (name, own) => {
    const items = own === "items" ? "" : "items=kenya-nyeri:1&";
    const { status, body } = await open(`${items}${name}=x`);
    expect(status).toBe(422);
    expect(body.errors).toContainEqual(
      expect.objectContaining({ code: "UNKNOWN_FIELD", parameter: name, did_you_mean: own }),
    );
  });

  test.each([
    ["bag=kenya-nyeri&qty=1&quantity=5", ["quantity"]],
    ["bag=kenya-nyeri&product_id=rwanda-huye&qty=1", ["product_id"]],
    ["items=kenya-nyeri:1&ITEMS=kenya-nyeri:5", ["ITEMS"]],
    ["items=kenya-nyeri:1&discount_code=&coupon=FIRSTBAG", ["coupon"]],
    ["items=kenya-nyeri:1&gift_note=a&message=b&gift-note=c", ["message", "gift-note"]],
    ["items=kenya-nyeri:1&buyer_email=a%40example.com&email=a%40example.com", ["email"]],
  ])("is refused for one value under two names: %s", async (link, names) => {
    const { status, body } = await open(link);
    expect(status).toBe(422);
    const told = body.errors.map((one: { code: string; parameter: string }) => [
      one.code,
      one.parameter,
    ]);
    expect(told).toEqual(names.map((name) => ["REPEATED", name]));
    const page = await open(link, BROWSER);
    expect(text(page.text)).toContain("It’s in the link twice.");
  });

  test("is refused for a long misspelled parameter in few characters", async () => {
    const long = `buyer${"-".repeat(500)}email`;
    const { body } = await open(`items=kenya-nyeri:1&discount/code=x&${long}=y`);
    expect(body.errors).toMatchObject([
      { pointer: "/discount~1code", parameter: "discount/code", did_you_mean: "discount_code" },
      { did_you_mean: "buyer_email" },
    ]);
    expect(JSON.stringify(body.errors)).not.toContain("-".repeat(41));
  });

  test.each([
    ["Tea%20and%20more%20&%20much%20love", " much love"],
    ["Happy%20Birthday%20Mom&Dad", "Dad"],
    ["Tom&amp;Jerry", "Jerry"],
    ["R&D", "D"],
    ["A&B=C", "B"],
    ["1&2", "2"],
    ["Hi&price=1&utm_source=x", "price"],
  ])("is refused if an & cuts its gift note: %s", async (note, rest) => {
    const { body } = await open(`items=kenya-nyeri:1&gift_note=${note}`);
    expect(body.errors).toMatchObject([
      { pointer: "/gift_note", detail: expect.stringMatching(`"${rest}"\\..*%26`) },
    ]);
  });
});

describe("a code", () => {
  test("ignores case and spaces, and an empty code counts as none", async () => {
    const { body } = await open("items=kenya-nyeri:1&discount_code=%20firstbag%20&format=json");
    expect(body.pricing.total_minor).toBe(2760);
    const none = await open("items=kenya-nyeri:1&discount_code=&format=json");
    expect(none.body.pricing.total_minor).toBe(3200);
  });

  test("does not reveal who has bought here: link, page and tool are the same for everyone", async () => {
    const { quote } = await purchase(shop.baseUrl);
    const answers = [quote.terms.buyer.email as string, newEmail()].map(async (email) => {
      const unnamed = (text: string) => text.replaceAll(email, "").replace(/chk_[\w-]{22}/g, "");
      const link = `items=kenya-nyeri:1&discount_code=FIRSTBAG&buyer_email=${email}`;
      const { status, body } = await open(`${link}&format=json`);
      const page = await send(shop.baseUrl, body.checkout_url);
      const cart = {
        items: [{ product_id: "kenya-nyeri", quantity: 1 }],
        discount_code: "FIRSTBAG",
      };
      const { service } = shop;
      const request = { input: { ...cart, buyer_email: email }, credentials: {}, address: "test" };
      const built = await perform(buildQuickCheckoutLink, request, service);
      const pricing = [body.pricing, (built.body as { pricing: unknown }).pricing];
      return [status, pricing, unnamed(page.text)];
    });
    const [customer, stranger] = await Promise.all(answers);
    expect(customer).toEqual(stranger);
    expect(customer![0]).toBe(200);
  });

  test("of an ended offer is 422 until the offer is back", async () => {
    const admin = shop.service.merchant.admin("cli");
    await admin.courtesy.firstOrder({ on: false });
    const ended = await open("items=kenya-nyeri:1&discount_code=FIRSTBAG");
    const cart = form({ "qty_kenya-nyeri": "1", discount_code: "FIRSTBAG", go: "checkout" });
    expect((await send(shop.baseUrl, "/cart", cart)).status).toBe(422);
    await admin.courtesy.firstOrder({ on: true });
    expect({ status: ended.status, code: ended.body.code }).toEqual({
      status: 422,
      code: "DISCOUNT_CODE_INVALID",
    });
    expect((await open("items=kenya-nyeri:1&discount_code=FIRSTBAG")).status).toBe(303);
  });
});

describe("the exclusive bean", () => {
  test.each([
    ["among others", "items=kenya-nyeri:1,yemen-haraz:1", {}],
    ["with a finder key in a header", "items=yemen-haraz:1", { "finder-key": "fk_anything" }],
  ])("is always 403 over a link: %s", async (_name, link, headers) => {
    const { status, body } = await open(link, headers as Record<string, string>);
    expect({ status, code: body.code }).toEqual({ status: 403, code: "GEISHA_LOCKED" });
  });

  test("is named among the other problems of a link", async () => {
    const { body } = await open("items=yemen-haraz:1,nope:2&discount_code=BAD!");
    const codes = body.errors.map(({ code }: { code: string }) => code);
    expect(codes.toSorted()).toEqual(["DISCOUNT_CODE_INVALID", "GEISHA_LOCKED", "UNKNOWN_PRODUCT"]);
  });
});

describe("a good link", () => {
  test("leads to its page: not cached, no referrer", async () => {
    const { status, headers, text } = await open("items=kenya-nyeri:2");
    expect(status).toBe(303);
    expect(headers.get("location")).toMatch(new RegExp(`^${shop.baseUrl}/checkout/[\\w.-]+$`));
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("x-robots-tag")).toContain("noindex");
    expect(text).not.toContain("colombia");
  });

  test("answers as JSON exactly what the contract names", async () => {
    const { status, body, headers } = await open(
      "bag=kenya-nyeri&qty=2&discount_code=FIRSTBAG&format=json",
    );
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body).toEqual({
      checkout_url: expect.stringMatching(new RegExp(`^${shop.baseUrl}/checkout/`)),
      expires_at: new Date(START + DAY).toISOString(),
      mode: "sandbox",
      notice: expect.stringContaining("nothing is charged or shipped"),
      items: [
        {
          product_id: "kenya-nyeri",
          name: "Kenya Nyeri",
          quantity: 2,
          unit_price_minor: 2200,
        },
      ],
      pricing: {
        currency: "usd",
        subtotal_minor: 4400,
        courtesy: { kind: "FIRST_ORDER", code: "FIRSTBAG", amount_minor: 880 },
        discount_code: {
          code: "FIRSTBAG",
          reason: expect.stringContaining(
            "$35.20 if this is the email's first order, otherwise $44.00.",
          ),
        },
        shipping_minor: 0,
        total_minor: 3520,
        total_display: "$35.20",
        otherwise_minor: 4400,
        otherwise_display: "$44.00",
      },
      next: [{ action: expect.stringMatching(/^GET /), why: expect.any(String) }],
      message_for_buyer: expect.stringContaining(`\n${body.checkout_url}\n`),
    });
  });

  test("adds up a repeated bean", async () => {
    const { body } = await open("items=kenya-nyeri:50,kenya-nyeri:50&format=json");
    expect(body.items).toMatchObject([{ product_id: "kenya-nyeri", quantity: 100 }]);
  });

  test("for more bags than are left says which bean is short, and what else there is", async () => {
    const { status, body } = await open("items=rwanda-huye:41,kenya-nyeri:1");
    expect({ status, code: body.code }).toEqual({ status: 409, code: "OUT_OF_STOCK" });
    expect(body.errors).toHaveLength(1);
    expect(body.errors[0].detail).toContain("Rwanda Huye");
    const steps = () => body.next.map((step: { action: string }) => step.action);
    // The waitlist takes 20, and 40 are in stock.
    expect(steps()).toEqual(["GET /v1/catalog"]);
  });

  test("its next step follows the page, and that answer's too, without another address", async () => {
    const { body } = await open("items=kenya-nyeri:1&format=json");
    for (let next = body.next, turn = 0; turn < 2; turn++) {
      const [, address] = /^GET (\S+)$/.exec(next[0].action)!;
      const followed = await send(shop.baseUrl, address!.replace("wait=25", "wait=0"));
      expect(followed.body).toMatchObject({ status: "OPEN", total_display: "$32.00" });
      next = followed.body.next;
    }
  });
});
