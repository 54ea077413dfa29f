import { afterAll, describe, expect, test } from "vitest";
import { startService } from "../../support/service.ts";
import { BROWSER, openLink } from "./checkout.ts";

const shop = await startService();
afterAll(() => shop.stop());

const open = (link: string, headers: Record<string, string> = {}) =>
  openLink(shop.baseUrl, link, headers);

describe("a wrong link is 422 and says what is wrong:", () => {
  test.each<[link: string, pointer: string, code?: string]>([
    ["", "/bag /qty"],
    ["items=kenya-nyeri:1&items=kenya-nyeri:1", "/items"],
    ["bag=kenya-nyeri&qty=1&qty=1", "/qty"],
    ["items=kenya-nyeri:1&bag=kenya-nyeri", "/items"],
    ["items=kenya-nyeri:1&qty=1", "/items"],
    ["bag=kenya-nyeri", "/qty"],
    ["qty=2", "/bag"],
    ...["", "0", "01", "%2B1", "-1", "1.0", "1e1", "0x1", "%D9%A1", "%201"].map(
      (qty): [string, string] => [`bag=kenya-nyeri&qty=${qty}`, "/qty"],
    ),
    ...["kenya-nyeri:0", "kenya-nyeri:01", "kenya-nyeri", "kenya-nyeri:", ""].map(
      (items): [string, string] => [`items=${items}`, "/items"],
    ),
    ["items=kenya-nyeri:1,", "/items"],
    ["items=kenya-nyeri:1,%20kenya-nyeri:1", "/items"],
    ["items=mystery:1", "/items"],
    ["bag=mystery&qty=1", "/bag"],
    ["bag=KENYA-NYERI&qty=1", "/bag"],
    ["items=kenya-nyeri:1&discount_code=NOPE", "/discount_code", "DISCOUNT_CODE_INVALID"],
    [`items=kenya-nyeri:1&gift_note=${"x".repeat(201)}`, "/gift_note"],
    ["items=kenya-nyeri:1&gift_note=%20%0A", "/gift_note"],
    ["items=kenya-nyeri:1&gift_note=a%07b", "/gift_note"],
    ["items=kenya-nyeri:1&buyer_email=nobody", "/buyer_email"],
    ["items=kenya-nyeri:101", "/items", "LIMIT_EXCEEDED"],
    ["items=kenya-nyeri:60,kenya-nyeri:41", "/items", "LIMIT_EXCEEDED"],
    ["items=kenya-nyeri:100,rwanda-huye:100,peru-cajamarca-decaf:51", "/items", "LIMIT_EXCEEDED"],
    [`items=${Array(21).fill("kenya-nyeri:1")}`, "/items", "LIMIT_EXCEEDED"],
    ["items=kenya-nyeri:1&format=xml", "/format"],
    ["items=kenya-nyeri:1&format=", "/format"],
  ])("%s", async (link, pointer, code = "VALIDATION_FAILED") => {
    const { status, body, headers } = await open(link);
    expect({ status, code: body.code }).toEqual({ status: 422, code });
    expect(body.errors.map((error: { pointer: string }) => error.pointer).join(" ")).toBe(pointer);
    expect(headers.get("location")).toBeNull();
    expect(headers.get("content-type")).toMatch(/^application\/problem\+json/);
  });

  test.each([
    "utm_source=mail",
    "fbclid=x",
    "gclid=x",
    "msclkid=x",
    "_hsenc=x",
    "mc_eid=x",
    "ref=x",
    "utm_id=1&utm_id=2",
  ])("a parameter of tracking such as %s is ignored", async (other) => {
    const { status } = await open(`items=kenya-nyeri:1&gift_note=hi&${other}`);
    expect(status).toBe(303);
  });

  test.each(["price=1", "finder_key=fk_x", "constructor=1", "gift_note=&x=1"])(
    "a foreign parameter such as %s is ignored without a gift note",
    async (other) => {
      expect((await open(`items=kenya-nyeri:1&${other}`)).status).toBe(303);
    },
  );

  test.each([
    "items=kenya-nyeri:1&bag=kenya-nyeri&qty=1",
    "items=kenya-nyeri:1&bag=&qty=",
    "items=&bag=kenya-nyeri&qty=1",
    "items=kenya-nyeri:01&bag=mystery&qty=0",
    "items=x&items=y&qty=1",
  ])("%s is ambiguous, and only that is reported", async (link) => {
    const { body } = await open(`${link}&discount_code=NOPE`);
    const told = body.errors.map((one: { code: string }) => one.code);
    expect(told.toSorted()).toEqual(["AMBIGUOUS", "DISCOUNT_CODE_INVALID"]);
  });

  test("all problems at once", async () => {
    const link = "items=mystery:01&discount_code=X&gift_note=%20&buyer_email=x&format=xml&utm_id=1";
    const { body } = await open(link);
    expect(body.errors.map((error: { pointer: string }) => error.pointer).sort()).toEqual(
      ["/buyer_email", "/discount_code", "/format", "/gift_note", "/items", "/items"].sort(),
    );
  });

  test("names the wrong one of several beans, and suggests a similar name", async () => {
    const { body } = await open(
      "items=kenya-nyeri:1,kenya:2,peru-cajamarca-decaf:0&discount_code=FRSTBAG",
    );
    expect(body.errors).toMatchObject([
      { pointer: "/discount_code", received: "FRSTBAG", did_you_mean: "FIRSTBAG" },
      { pointer: "/items", code: "INVALID", received: "peru-cajamarca-decaf:0" },
      { pointer: "/items", received: "kenya", did_you_mean: "kenya-nyeri" },
    ]);
  });

  test("a + in an email is explained: in a query it is a space", async () => {
    const { body } = await open("items=kenya-nyeri:1&buyer_email=a+b@example.com");
    expect(body.errors[0].detail).toContain("%2B");
  });

  test("as a page in a browser, with every problem in words", async () => {
    const { status, text, headers } = await open("items=mystery:0&discount_code=NOPE", BROWSER);
    expect(status).toBe(422);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(text).toContain("The link says <bdi>&quot;mystery&quot;</bdi>.");
    expect(text).toMatch(/nothing was charged/i);
  });

  test("as a page without technical terms", async () => {
    for (const link of ["", "items=:,&format=xml", "bag=mystery", "items=kenya-nyeri:1&qty=1"]) {
      const page = (await open(link, BROWSER)).text;
      const [, main = ""] = /<main[^>]*>([\s\S]*)<dl class="small-print">/.exec(page) ?? [];
      expect(main).not.toBe("");
      expect(main).not.toMatch(
        /\bGET\b|\bPOST\b|\/v1\/|get_catalog|product_id|JSON|errors\b|\bqty\b/,
      );
    }
  });

  test("an unknown code can be left out with one press", async () => {
    const { text } = await open("items=kenya-nyeri:2&discount_code=NOPE&gift_note=A%26B", BROWSER);
    const [, href = ""] = /href="([^"]+)">Continue without the code/.exec(text) ?? [];
    const link = href.replaceAll("&amp;", "&").replace("/v1/quick-checkout?", "");
    expect(new URLSearchParams(link).get("gift_note")).toBe("A&B");
    expect((await open(link, BROWSER)).status).toBe(303);
    const other = await open("items=mystery:2&discount_code=NOPE", BROWSER);
    expect(other.text).not.toContain("Continue without the code");
  });

  test("as JSON even in a browser if the link asks for JSON", async () => {
    const { body } = await open("items=mystery:1&format=json", BROWSER);
    expect(body.code).toBe("VALIDATION_FAILED");
  });
});
