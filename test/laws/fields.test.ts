/** Every field from outside has a length limit, which is checked first. */
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { z } from "zod";
import { noForbiddenTopic } from "../../src/catalog/catalog.ts";
import { fold } from "../../src/catalog/words.ts";
import { regionCode } from "../../src/core/address.ts";
import { canonicalEmail } from "../../src/core/email.ts";
import { type BoundedText, withOtherProblems } from "../../src/core/fields.ts";
import { parseInput } from "../../src/core/read-input.ts";
import { secretIn } from "../../src/core/secrets.ts";
import { openSqlite } from "../../src/db/sqlite/sqlite-store.ts";
import { CART_QUERY } from "../../src/quotes/quick-checkout-query.ts";
import { CHECKOUT_FORM } from "../../src/shop/quick-checkout.ts";
import { ucpOperations } from "../../src/ucp/operations.ts";
import { operations } from "../../tools/index.ts";
import { fieldsOf, inputWith, LONG_TEXTS } from "../support/schema-fields.ts";
import { openShop } from "../support/shop.ts";

const { admin } = await openShop(await openSqlite({ file: ":memory:" }));

/** The schema of each of the merchant's verbs. */
const ADMIN_SCHEMAS = Object.entries(admin).flatMap(([noun, verbs]) =>
  Object.entries<{ fields?: z.ZodType }>(verbs).map(
    ([verb, { fields }]) => [`merchant: ${noun}.${verb}`, fields] as const,
  ),
);

/** Every schema for outside input, by its interface. */
const SCHEMAS: Record<string, z.ZodType> = {
  ...Object.fromEntries(ucpOperations.map((op) => [op.name, op.input])),
  ...Object.fromEntries(operations.map((op) => [op.name, op.input])),
  "quick-checkout link": CART_QUERY,
  "checkout form": CHECKOUT_FORM,
  ...Object.fromEntries(
    ADMIN_SCHEMAS.flatMap(([verb, fields]) => (fields ? [[verb, fields]] : [])),
  ),
};

/** Every text field at every place. */
const textFields = (): [path: string, field: z.ZodString][] =>
  Object.entries(SCHEMAS).flatMap(([name, schema]) =>
    fieldsOf(schema).flatMap(([path, field]): [string, z.ZodString][] =>
      field instanceof z.ZodString ? [[`${name} ${path}`, field]] : [],
    ),
  );

/** Validation behind the limits: every field without its first check, and every scanner. */
function insides(): [name: string, read: (text: string) => unknown][] {
  const once = new Map(textFields().map(([name, field]) => [field.def.checks, { name, field }]));
  const fields = [...once.values()].map(({ name, field }): [string, (text: string) => unknown] => {
    const inside = new z.ZodString({ ...field.def, checks: field.def.checks!.slice(1) });
    return [name, (text) => inside.safeParse(text)];
  });
  return [
    ...fields,
    ["secrets", secretIn],
    ["customers", canonicalEmail],
    ["regions", regionCode],
    ["questions", fold],
    ["forbidden topics", (text) => noForbiddenTopic(text as BoundedText)],
  ];
}

/** Problem of a declaration; null if it is one of fields.ts. */
function unlawful(schema: z.ZodType): string | null {
  const checks = (schema.def as { checks?: z.core.$ZodCheck[] }).checks ?? [];
  const whens = checks.flatMap(({ _zod: { def } }) => {
    const { when, check } = def as { when?: unknown; check: string };
    // zod's length checks are known. Ours stops after the limit.
    return when === undefined || when === withOtherProblems || /length|size/.test(check)
      ? []
      : [check];
  });
  if (whens.length > 0) return `runs ${whens.join(", ")} whatever came before`;
  if (schema instanceof z.ZodString || schema instanceof z.ZodArray) return unbounded(checks);
  if (schema instanceof z.ZodNumber) {
    const { minValue: minimum, maxValue: maximum } = schema;
    const bounded = [minimum, maximum].every(
      (n) => Math.abs(n ?? Infinity) < Number.MAX_SAFE_INTEGER,
    );
    return bounded ? null : "has no least and most";
  }
  if (schema instanceof z.ZodObject) {
    const isClosed = schema.def.catchall instanceof z.ZodNever || OPEN.has(schema);
    return isClosed ? null : "takes fields that are not declared";
  }
  return CLOSED.some((kind) => schema instanceof kind) ? null : `is a ${schema.def.type}`;
}

/** UCP's clients may send further members, which nothing reads. */
const OPEN = new Set(
  ucpOperations.flatMap(({ input }) => fieldsOf(input).map(([, field]) => field)),
);

/** These take a few fixed values, or are walked separately. */
const CLOSED = [z.ZodLiteral, z.ZodEnum, z.ZodBoolean, z.ZodOptional, z.ZodDefault, z.ZodNullable];

function unbounded(checks: readonly z.core.$ZodCheck[]): string | null {
  const first = checks[0]?._zod.def as { check?: string; abort?: boolean } | undefined;
  if (first?.check !== "max_length") return "has no bound, or something runs before it";
  return first.abort ? null : "goes on behind its bound";
}

/** The limit of a correct text or list. */
const mostOf = (field: z.ZodType): number =>
  (field.def as { checks?: z.core.$ZodCheck[] }).checks!.map(
    ({ _zod }) => (_zod.def as unknown as { maximum: number }).maximum,
  )[0]!;

const wrapped = (name: string, inside: unknown): unknown =>
  name === "" ? inside : name === "[]" ? [inside, null] : { [name]: inside };

describe("every field from outside", () => {
  test.each(Object.entries(SCHEMAS))(
    "%s is limited, and the limit is checked first",
    (_, schema) => {
      const wrong = fieldsOf(schema).flatMap(([path, field]) => {
        const why = unlawful(field);
        return why === null ? [] : [`${path} ${why}`];
      });
      expect(wrong).toEqual([]);
    },
  );

  it("is found by the walk, in every kind of schema", () => {
    expect(textFields().length).toBeGreaterThan(60);
  });

  it("is declared in the merchant's verbs", () => {
    const bare = ADMIN_SCHEMAS.filter(([, fields]) => !(fields instanceof z.ZodObject));
    expect(bare.map(([verb]) => verb)).toEqual([]);
  });

  it("is not read if it is a list over its limit, not even by rules over several fields", () => {
    const trap = () => {
      throw new Error("somebody looked");
    };
    for (const [path, field] of Object.values(SCHEMAS).flatMap((schema) => fieldsOf(schema))) {
      if (!(field instanceof z.ZodArray)) continue;
      const element = Object.defineProperty({}, "address", { get: trap, enumerable: true });
      const found = field.safeParse(Array.from({ length: mostOf(field) + 1 }, () => element));
      expect([path, found.error?.issues.map(({ code }) => code)]).toEqual([path, ["too_big"]]);
    }
  });

  it("never throws, whatever is sent", () => {
    for (const schema of Object.values(SCHEMAS)) {
      const places = fieldsOf(schema).map(([path]) => path.split("/").slice(1));
      const junk = fc.record({ place: fc.constantFrom(...places), value: fc.anything() });
      fc.assert(
        fc.property(junk, ({ place, value }) => {
          parseInput(
            schema,
            place.reduceRight((inside, name) => wrapped(name, inside), value),
          );
        }),
        {
          examples: [{ length: { toString: 0 } }, { toString: "" }, [{ toString: 0 }]].flatMap(
            (value) =>
              places.map((place): [{ place: string[]; value: unknown }] => [{ place, value }]),
          ),
        },
      );
    }
  });

  it("costs less than 100 ms with 100 kB of anything in it", () => {
    const slow = Object.entries(SCHEMAS).flatMap(([name, schema]) =>
      fieldsOf(schema)
        .filter(([, field]) => field instanceof z.ZodString)
        .flatMap(([path]) => {
          const read = (sent: string) => parseInput(schema, inputWith(path, sent));
          const ms = (text: string) => {
            const before = performance.now();
            read(text);
            return performance.now() - before;
          };
          // Measured again where it seems slow, because the machine may be busy.
          const isSlow = LONG_TEXTS.some((text) => ms(text) > 100 && work(read, text) > 100);
          return isSlow ? [`${name} ${path}`] : [];
        }),
    );
    expect(slow).toEqual([]);
  });

  it("reports only the length of text over its limit", () => {
    for (const [path, field] of textFields()) {
      const found = field.safeParse("\u0301".repeat(mostOf(field) + 1));
      expect([path, found.error?.issues.map(({ code }) => code)]).toEqual([path, ["too_big"]]);
    }
  });
});

/** Texts of any length that are expensive to validate. */
const NASTY: Record<string, (length: number) => string> = {
  "accents of two kinds": (n) => "\u0301\u0316".repeat(n / 2),
  "letters under accents": (n) => `a${"\u0301\u0316".repeat(4)}`.repeat(n / 9),
  "beginnings of a signed token": (n) => "-eyJ".repeat(n / 4),
  "one long word": (n) => `eyJ${"a".repeat(n)}`,
  "groups of digits": (n) => "1 2-".repeat(n / 4),
  "numbers with commas": (n) => "1,".repeat(n / 2),
  "one long number": (n) => "4".repeat(n),
  "numbers that are nearly a card": (n) => "4242 4242 4242 4241 x ".repeat(n / 22),
  blanks: (n) => ` cvv${" ".repeat(n)}x`,
  "blanks behind words": (n) => "bearer  pass :  cvv  ".repeat(n / 21),
  "from right to left": (n) => "\u202e\u05d0".repeat(n / 2),
  "nothing to see": (n) => "a\u200b".repeat(n / 2),
  "joined pictures": (n) => "\u{1f469}\u200d\u{1f4bb}".repeat(n / 5),
  "a domain without end": (n) => `a@${"\u00fc".repeat(n)}.example`,
  "a domain of many parts": (n) => `a@${"b.".repeat(n / 2)}example`,
  "many of the sign of an address": (n) => "a@".repeat(n / 2),
  "many dots and tags": (n) => `${"a.+".repeat(n / 3)}@gmail.com`,
  dashes: (n) => "-----BEGIN ".repeat(n / 11),
  "line breaks": (n) => "a\r\n".repeat(n / 3),
};

const SIZE = 4_000;

/**
 * Milliseconds of one validation, the least of several, because the machine is busy. By the wall clock:
 * the CPU clock has steps of four milliseconds on some machines.
 */
function work(read: (text: string) => unknown, text: string): number {
  const times = Array.from({ length: 3 }, () => {
    const before = performance.now();
    read(text);
    return performance.now() - before;
  });
  return Math.min(...times);
}

/**
 * Four times the text is 16 times the work if it is quadratic. Below two milliseconds it does not
 * matter.
 */
const grows = (read: (text: string) => unknown, nasty: (length: number) => string): boolean => {
  const large = work(read, nasty(4 * SIZE));
  return large > 2 && large > 9 * work(read, nasty(SIZE));
};

/** A busy machine has spoiled three measurements in a row; ten are unlikely. */
const TRIES = Array.from({ length: 10 });

describe("without the limit, validation still takes linear time", () => {
  test.each(Object.entries(NASTY))("%s", (_, nasty) => {
    const slow = insides().filter(([, read]) => TRIES.every(() => grows(read, nasty)));
    expect(slow.map(([name]) => name)).toEqual([]);
  });
});
