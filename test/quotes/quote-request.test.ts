import { describe, expect, it, test } from "vitest";
import { catalogOf } from "../../src/catalog/catalog.ts";
import { inputProblems, invalid } from "../../src/core/input-problems.ts";
import { parseInput, readInput } from "../../src/core/read-input.ts";
import { beanProblems, QuoteRequest, requestProblems } from "../../src/quotes/quote-request.ts";
import { request, shipment } from "../support/beans.ts";
import { CATALOG } from "../support/catalog.ts";
import { ADDRESS } from "../support/shopper.ts";

/** "pointer CODE" of everything wrong with a request, as the interface puts it together. */
function problems(input: unknown): string[] {
  const issues = QuoteRequest.safeParse(input).error?.issues ?? [];
  const all = [
    ...inputProblems(issues, { schema: QuoteRequest, input }).problems,
    ...requestProblems(readInput(QuoteRequest, input).input, CATALOG),
  ];
  return all.map(({ pointer, code }) => `${pointer} ${code}`).sort();
}

const line = (quantity: unknown, product_id: unknown = "kenya-nyeri") => ({
  product_id,
  quantity,
});
const items = (...lines: unknown[]) => request({ shipments: [shipment({ items: lines })] });
const notes = (gift_notes: unknown, quantity = 2) =>
  request({ shipments: [shipment({ items: [line(quantity)], gift_notes })] });
const shipments = (n: number, quantity = 1) =>
  request({ shipments: Array.from({ length: n }, () => shipment({ items: [line(quantity)] })) });

const QUANTITY = "/shipments/0/items/0/quantity";
const NOTE = "/shipments/0/gift_notes/0";

describe("a quote request is accepted", () => {
  test.each<[string, unknown]>([
    ["with what it must have", request()],
    [
      "with every field",
      request({ preferences: { substitutions: "none" }, discount_code: "FIRSTBAG" }),
    ],
    ["with no preference said", request({ preferences: {} })],
    ["with the code in other case and spaced", request({ discount_code: " firstBag " })],
    ["with an empty code, which is none", request({ discount_code: "  " })],
    ["with 100 bags in a line", items(line(100))],
    [
      "with 1.0 and 1e2, which are whole numbers in JSON",
      JSON.parse(JSON.stringify(items(line(1))).replace('"quantity":1', '"quantity":1e2')),
    ],
    ["with 20 lines in a shipment", items(...Array.from({ length: 20 }, () => line(1)))],
    ["with 50 shipments of 5 bags, 250 in all", shipments(50, 5)],
    ["with a note for every bag", notes(["one", "two"])],
    ["with no notes", notes([])],
    ["with a note of 200 characters outside the basic plane", notes([`a${"😀".repeat(199)}`])],
    ["with a note over two lines", notes(["Dear friend,\r\nenjoy.\n"])],
    [
      "with ZIP+4 and a second line",
      request({
        shipments: [
          shipment({ address: { ...ADDRESS, line2: "Apt 4", postal_code: "78701-1234" } }),
        ],
      }),
    ],
  ])("%s", (_, input) => {
    expect(problems(input)).toEqual([]);
  });

  it("and an empty second address line is dropped", () => {
    const blank = request({ shipments: [shipment({ address: { ...ADDRESS, line2: " " } })] });
    expect(QuoteRequest.parse(blank).shipments[0]!.address).toEqual(ADDRESS);
  });
});

it("an order with too many bags is refused for any number of shipments", () => {
  const input = shipments(3, 100);
  const { error } = QuoteRequest.safeParse(input);
  const { problems } = inputProblems(error!.issues, { schema: QuoteRequest, input });
  expect(problems).toMatchObject([{ pointer: "/shipments", code: "LIMIT_EXCEEDED" }]);
  expect(problems[0]).not.toHaveProperty("received");
});

describe("a quote request is refused", () => {
  test.each<[string, unknown, string | string[]]>([
    ["as nothing", {}, ["/buyer MISSING", "/shipments MISSING"]],
    ["without an email", request({ buyer: {} }), "/buyer/email MISSING"],
    ["with no email", request({ buyer: { email: "nobody" } }), "/buyer/email INVALID"],
    ["with a number for an email", request({ buyer: { email: 1 } }), "/buyer/email WRONG_TYPE"],
    ["with no shipment", request({ shipments: [] }), "/shipments TOO_SMALL"],
    ["with shipments that are no list", request({ shipments: {} }), "/shipments WRONG_TYPE"],
    ["with 51 shipments", shipments(51), "/shipments LIMIT_EXCEEDED"],
    ["with no line", items(), "/shipments/0/items TOO_SMALL"],
    [
      "with 21 lines",
      items(...Array.from({ length: 21 }, () => line(1))),
      "/shipments/0/items LIMIT_EXCEEDED",
    ],
    ["with 251 bags in all", items(line(100), line(100), line(51)), "/shipments LIMIT_EXCEEDED"],
    ["with 0 bags", items(line(0)), `${QUANTITY} TOO_SMALL`],
    ["with -1 bag", items(line(-1)), `${QUANTITY} TOO_SMALL`],
    ["with 101 bags in a line", items(line(101)), `${QUANTITY} LIMIT_EXCEEDED`],
    [
      "with more bags than a number counts exactly",
      items(line(1e20)),
      `${QUANTITY} LIMIT_EXCEEDED`,
    ],
    ["with half a bag", items(line(1.5)), `${QUANTITY} WRONG_TYPE`],
    ["with bags as text", items(line("1")), `${QUANTITY} WRONG_TYPE`],
    ["with bags as yes", items(line(true)), `${QUANTITY} WRONG_TYPE`],
    ["with null bags", items(line(null)), `${QUANTITY} WRONG_TYPE`],
    ["with no bags said", items({ product_id: "kenya-nyeri" }), `${QUANTITY} MISSING`],
    [
      "with a bean that is not sold",
      items(line(1, "kopi-luwak")),
      "/shipments/0/items/0/product_id UNKNOWN_PRODUCT",
    ],
    [
      "with a bean that every object has",
      items(line(1, "__proto__")),
      "/shipments/0/items/0/product_id UNKNOWN_PRODUCT",
    ],
    ["with more notes than bags", notes(["a", "b", "c"]), "/shipments/0/gift_notes INVALID"],
    [
      "with a note for another shipment's bag",
      request({
        shipments: [shipment({ gift_notes: ["a", "b"] }), shipment({ items: [line(5)] })],
      }),
      "/shipments/0/gift_notes INVALID",
    ],
    ["with a blank note", notes([" \n "]), `${NOTE} INVALID`],
    ["with a note of 201 characters", notes(["x".repeat(201)]), `${NOTE} TOO_BIG`],
    ["with a note that no hand can write", notes(["🎁🎉"]), `${NOTE} INVALID`],
    ["with a note that runs backwards", notes(["ab\u202ec"]), `${NOTE} INVALID`],
    ["with a bell in a note", notes(["ring\u0007"]), `${NOTE} INVALID`],
    ["with a tab in a note", notes(["a\tb"]), `${NOTE} INVALID`],
    ["with half a character in a note", notes(["a\ud83d"]), `${NOTE} INVALID`],
    [
      "with half a character in recipient_ref",
      request({ shipments: [shipment({ recipient_ref: "\udc00" })] }),
      "/shipments/0/recipient_ref INVALID",
    ],
    [
      "with a blank recipient_ref",
      request({ shipments: [shipment({ recipient_ref: " " })] }),
      "/shipments/0/recipient_ref TOO_SMALL",
    ],
    [
      "with an unknown code",
      request({ discount_code: "FREE" }),
      "/discount_code DISCOUNT_CODE_INVALID",
    ],
    ["with a code that is no text", request({ discount_code: true }), "/discount_code WRONG_TYPE"],
    [
      "with substitutions allowed",
      request({ preferences: { substitutions: "any" } }),
      "/preferences/substitutions INVALID",
    ],
    ["with a price of its own", { ...request(), total_minor: 1 }, "/total_minor UNKNOWN_FIELD"],
    [
      "with a line price of its own",
      items({ ...line(1), unit_price_minor: 1 }),
      "/shipments/0/items/0/unit_price_minor UNKNOWN_FIELD",
    ],
    [
      "with a field in the address",
      request({ shipments: [shipment({ address: { ...ADDRESS, "a/b~c": 1 } })] }),
      "/shipments/0/address/a~1b~0c UNKNOWN_FIELD",
    ],
  ])("%s", (_, input, expected) => {
    expect(problems(input)).toEqual([expected].flat());
  });

  it("with all problems of all its parts at once", () => {
    const input = {
      buyer: { email: "nobody" },
      shipments: [
        { ...shipment({ items: [line("2"), line(0, "kopi-luwak")] }), gift_notes: ["", "b", "c"] },
        shipment({ address: { ...ADDRESS, country: "CA", postal_code: "H2X" } }),
      ],
      discount_code: "FREE",
      status: "PAID",
    };
    expect(problems(input)).toEqual([
      "/buyer/email INVALID",
      "/discount_code DISCOUNT_CODE_INVALID",
      "/shipments/0/gift_notes INVALID",
      "/shipments/0/gift_notes/0 TOO_SMALL",
      "/shipments/0/items/0/quantity WRONG_TYPE",
      "/shipments/0/items/1/product_id UNKNOWN_PRODUCT",
      "/shipments/0/items/1/quantity TOO_SMALL",
      "/shipments/1/address/country INVALID",
      "/status UNKNOWN_FIELD",
    ]);
  });

  it("under its own code where all problems share it, with bulk leads beyond the bag limits", () => {
    const beyond = { pointer: "/shipments", code: "LIMIT_EXCEEDED", detail: "Too many." };
    const other = { pointer: "/buyer", code: "MISSING", detail: "Missing." };
    expect(invalid({ problems: [beyond, beyond] })).toMatchObject({
      code: "LIMIT_EXCEEDED",
      status: 422,
    });
    expect(invalid({ problems: [beyond] }).next[0]?.http).toBe("POST /v1/bulk-leads");
    expect(invalid({ problems: [beyond, other] })).toMatchObject({
      code: "VALIDATION_FAILED",
      next: [],
    });
    expect(invalid({ problems: [{ ...other, code: "constructor" }] }).code).toBe(
      "VALIDATION_FAILED",
    );
  });
});

describe("a large request for a large catalog", () => {
  const [bean] = CATALOG.products;
  const catalog = catalogOf(
    Array.from({ length: 500 }, (_, i) => ({ ...bean!, product_id: `bean-number-${i}` })),
  );
  const problemsOf = (sent: object) =>
    requestProblems(readInput(QuoteRequest, sent).input, catalog);
  /** Each a slip away from a bean's name. */
  const slips = Array.from({ length: 50 }, (_, s) =>
    shipment({ items: Array.from({ length: 20 }, (_, i) => line(1, `been-number-${20 * s + i}`)) }),
  );

  it("gets a limited number of suggestions for its unknown beans", () => {
    const found = problemsOf({ shipments: slips });
    expect(found).toHaveLength(1000);
    const meant = found.filter(({ did_you_mean }) => did_you_mean);
    expect(meant.map(({ did_you_mean }) => did_you_mean)).toEqual(
      Array.from({ length: 10 }, (_, i) => `bean-number-${i}`),
    );
    // The same slip again costs nothing more.
    const again = problemsOf({ shipments: [slips[0], slips[0]] });
    expect(again.filter(({ did_you_mean }) => did_you_mean)).toHaveLength(20);
  });

  it("the text suggests the right code, because over MCP a model reads only the text", () => {
    const [nearly] = problemsOf({ discount_code: "FIRSTBAGG" });
    expect(nearly).toMatchObject({ did_you_mean: "FIRSTBAG" });
    expect(nearly!.detail).toMatch(/Did you mean FIRSTBAG\?$/);
    const [far] = problemsOf({ discount_code: "SUMMER" });
    expect(far!.detail).not.toContain("Did you mean");
  });

  it("an error names the first beans and the number of others", () => {
    const [first] = problemsOf(items(line(1, "kopi-luwak")));
    expect(first!.detail).toContain("bean-number-19 and 480 more.");
    expect(first!.detail).not.toContain("bean-number-20");
  });
});

describe("null or blank text stands for a bag without a note", () => {
  const GAP = "The gift note is missing. List the bags with a note first: note 1 goes with bag 1.";
  test.each<[what: string, counts: number[], given: unknown[], then: string[] | typeof GAP]>([
    ["before a note of the same line", [2], [null, "b"], ["b"]],
    ["between two of them", [3], ["a", " ", "c"], ["a", "c"]],
    ["in the second line", [1, 3], ["a", null, null, "d"], ["a", "d"]],
    ["at the end of each line", [1, 2], ["a", "b", null], ["a", "b"]],
    ["everywhere", [2, 2], [null, "", null, " "], []],
    ["in a line before one with a note", [2, 1], ["a", null, "c"], GAP],
    ["for a bag that is not there", [1], [null, "b"], GAP],
    ["with a line of any size", [Number.MAX_SAFE_INTEGER], [null, "b"], ["b"]],
  ])("%s", (_, counts, gift_notes, then) => {
    const lines = counts.map((count, i) => line(count, i === 0 ? "kenya-nyeri" : "rwanda-huye"));
    const sent = request({ shipments: [shipment({ items: lines, gift_notes })] });
    const read = parseInput(QuoteRequest, sent);
    const told = read.success ? [] : read.issues.map(({ message }) => message);
    if (then === GAP) expect(told).toContain(GAP);
    else {
      expect(told).not.toContain(GAP);
      expect(read.input).toMatchObject({ shipments: [{ gift_notes: then }] });
    }
  });
});

it("a bean off sale is not called unknown", () => {
  const [bean] = CATALOG.products;
  const catalog = { ...CATALOG, find: () => undefined, known: () => bean };
  expect(beanProblems([{ pointer: "/items/0", id: bean!.product_id }], catalog)).toMatchObject([
    {
      code: "UNKNOWN_PRODUCT",
      detail: expect.stringMatching(new RegExp(`^No longer sold: ${bean!.product_id}\\. `)),
    },
  ]);
});

test.each(["ring\u0007", "ab\u202ec", "a\ud83d", "a\u0000b"])(
  "a character that nobody can see is explained in words: %j",
  (note) => {
    const read = parseInput(QuoteRequest, notes([note]));
    const [told] = read.success ? [] : read.issues;
    expect(told!.message).toMatch(
      /^This text holds .*\(U\+[\dA-F]{4}\)\. Type it again without that\.$/,
    );
  },
);
