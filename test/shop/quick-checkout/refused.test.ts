import { afterAll, describe, expect, test } from "vitest";
import { startService } from "../../support/service.ts";
import { BROWSER, openLink } from "./checkout.ts";

const shop = await startService();
afterAll(() => shop.stop());

const open = (link: string, headers: Record<string, string> = {}) =>
  openLink(shop.baseUrl, link, headers);

const NOTE_201 = "x".repeat(201);
const LINES_21 = Array.from({ length: 21 }, () => "kenya-nyeri:1").join(",");
const BAGS_251 = "kenya-nyeri:100,peru-cajamarca-decaf:100,kenya-nyeri:51";

describe("a wrong link is 422 and says what is wrong:", () => {
  test.each([
    ["nothing at all", "", "VALIDATION_FAILED", ["/bag", "/qty"]],
    [
      "a repeated parameter",
      "items=kenya-nyeri:1&items=kenya-nyeri:1",
      "VALIDATION_FAILED",
      ["/items"],
    ],
    ["a repeated qty", "bag=kenya-nyeri&qty=1&qty=1", "VALIDATION_FAILED", ["/qty"]],
    ["items beside bag", "items=kenya-nyeri:1&bag=kenya-nyeri", "VALIDATION_FAILED", ["/items"]],
    ["items beside qty", "items=kenya-nyeri:1&qty=1", "VALIDATION_FAILED", ["/items"]],
    ["bag without qty", "bag=kenya-nyeri", "VALIDATION_FAILED", ["/qty"]],
    ["qty without bag", "qty=2", "VALIDATION_FAILED", ["/bag"]],
    ["an empty qty", "bag=kenya-nyeri&qty=", "VALIDATION_FAILED", ["/qty"]],
    ["qty 0", "bag=kenya-nyeri&qty=0", "VALIDATION_FAILED", ["/qty"]],
    ["qty 01", "bag=kenya-nyeri&qty=01", "VALIDATION_FAILED", ["/qty"]],
    ["qty +1", "bag=kenya-nyeri&qty=%2B1", "VALIDATION_FAILED", ["/qty"]],
    ["qty -1", "bag=kenya-nyeri&qty=-1", "VALIDATION_FAILED", ["/qty"]],
    ["qty 1.0", "bag=kenya-nyeri&qty=1.0", "VALIDATION_FAILED", ["/qty"]],
    ["qty 1e1", "bag=kenya-nyeri&qty=1e1", "VALIDATION_FAILED", ["/qty"]],
    ["qty 0x1", "bag=kenya-nyeri&qty=0x1", "VALIDATION_FAILED", ["/qty"]],
    ["qty in other digits", "bag=kenya-nyeri&qty=%D9%A1", "VALIDATION_FAILED", ["/qty"]],
    ["a space before qty", "bag=kenya-nyeri&qty=%201", "VALIDATION_FAILED", ["/qty"]],
    ["items 0", "items=kenya-nyeri:0", "VALIDATION_FAILED", ["/items"]],
    ["items 01", "items=kenya-nyeri:01", "VALIDATION_FAILED", ["/items"]],
    ["items without a number", "items=kenya-nyeri", "VALIDATION_FAILED", ["/items"]],
    ["items with an empty number", "items=kenya-nyeri:", "VALIDATION_FAILED", ["/items"]],
    ["empty items", "items=", "VALIDATION_FAILED", ["/items"]],
    ["a comma too many", "items=kenya-nyeri:1,", "VALIDATION_FAILED", ["/items"]],
    [
      "a space after the comma",
      "items=kenya-nyeri:1,%20kenya-nyeri:1",
      "VALIDATION_FAILED",
      ["/items"],
    ],
    ["an unknown bean", "items=mystery:1", "VALIDATION_FAILED", ["/items"]],
    ["an unknown bag", "bag=mystery&qty=1", "VALIDATION_FAILED", ["/bag"]],
    ["a bean in capitals", "bag=KENYA-NYERI&qty=1", "VALIDATION_FAILED", ["/bag"]],
    [
      "an unknown code",
      "items=kenya-nyeri:1&discount_code=NOPE",
      "DISCOUNT_CODE_INVALID",
      ["/discount_code"],
    ],
    [
      "a note of 201 characters",
      `items=kenya-nyeri:1&gift_note=${NOTE_201}`,
      "VALIDATION_FAILED",
      ["/gift_note"],
    ],
    ["a blank note", "items=kenya-nyeri:1&gift_note=%20%0A", "VALIDATION_FAILED", ["/gift_note"]],
    [
      "a control character in the note",
      "items=kenya-nyeri:1&gift_note=a%07b",
      "VALIDATION_FAILED",
      ["/gift_note"],
    ],
    [
      "a bad email",
      "items=kenya-nyeri:1&buyer_email=nobody",
      "VALIDATION_FAILED",
      ["/buyer_email"],
    ],
    ["over 100 bags in a line", "items=kenya-nyeri:101", "LIMIT_EXCEEDED", ["/items"]],
    ["over 250 bags", `items=${BAGS_251}`, "LIMIT_EXCEEDED", ["/items"]],
    ["over 20 lines", `items=${LINES_21}`, "LIMIT_EXCEEDED", ["/items"]],
    ["another format", "items=kenya-nyeri:1&format=xml", "VALIDATION_FAILED", ["/format"]],
    ["an empty format", "items=kenya-nyeri:1&format=", "VALIDATION_FAILED", ["/format"]],
  ])("%s", async (_name, link, code, pointers) => {
    const { status, body, headers } = await open(link);
    expect({ status, code: body.code }).toEqual({ status: 422, code });
    expect(body.errors.map((error: { pointer: string }) => error.pointer)).toEqual(pointers);
    expect(headers.get("location")).toBeNull();
    expect(headers.get("content-type")).toMatch(/^application\/problem\+json/);
  });

  test.each([
    "utm_source=mail",
    "fbclid=x",
    "_hsenc=x",
    "ref=x",
    "price=1",
    "finder_key=fk_x",
    "utm_id=1&utm_id=2",
    "constructor=1",
  ])("a foreign parameter such as %s is ignored", async (other) => {
    const { status } = await open(`items=kenya-nyeri:1&gift_note=hi&${other}`);
    expect(status).toBe(303);
  });

  test.each(["items", "bag", "qty", "discount_code", "gift_note", "buyer_email", "format"])(
    "a value of %s that is too long is refused by its length",
    async (name) => {
      const { status, body } = await open(`${name}=${"x".repeat(3000)}`);
      expect(status).toBe(422);
      const problem = body.errors.find((one: { pointer: string }) => one.pointer === `/${name}`);
      expect(problem.detail).toContain("this has 3000");
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
    const link = "items=mystery:01&discount_code=X&gift_note=%20&buyer_email=x&format=xml&z=1";
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

  test("a wrong value never gets into the page unescaped", async () => {
    const script = encodeURIComponent("<script>alert(1)</script>");
    const { text } = await open(`items=${script}:1&${script}=1&discount_code=${script}`, BROWSER);
    expect(text).not.toContain("<script");
  });
});
