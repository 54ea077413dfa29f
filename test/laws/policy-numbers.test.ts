/** Sentences take the numbers of the policy from policy.ts: a change of policy makes none of them lie. */
import { expect, it } from "vitest";
import { plainDollars } from "../../src/domain/shared/money.ts";
import {
  FIRST_ORDER,
  LIMITS,
  SHIPPING,
  SPEND,
  span,
  TIMES,
} from "../../src/domain/shared/policy.ts";
import { sources } from "./reading.ts";

const WORDS = [
  FIRST_ORDER.code,
  `${FIRST_ORDER.percent}%`,
  ...[
    FIRST_ORDER.cap_minor,
    SPEND.per_minor,
    SPEND.off_minor,
    SHIPPING.per_address_minor,
    SHIPPING.free_from_minor,
  ].map(plainDollars),
  ...[TIMES.waitlist_offer_ms, TIMES.idempotency_ms].map(span),
  ...Object.entries(LIMITS).flatMap(([name, n]) =>
    name.endsWith("_characters") ? [`${n} characters`] : [],
  ),
];

/** Where such words are not the policy's: itself, Stripe's own sentences, and a buyer who types a code. */
const NOT_PROSE = ["src/domain/shared/policy.ts", "src/payments/", "src/demo/"];

const escaped = (word: string) => word.replace(/[$.]/g, "\\$&");

it("no sentence carries a number of the policy of its own", () => {
  const said = new RegExp(`(?<![\\w$.])(${WORDS.map(escaped).join("|")})(?![\\w.])`);
  const found = sources("src", "tools", "resources")
    .filter(({ path }) => !NOT_PROSE.some((place) => path.startsWith(place)))
    .flatMap(({ path, text }) =>
      text
        .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "")
        .split("\n")
        .flatMap((line) => (said.test(line) ? [`${path}: ${line.trim()}`] : [])),
    );
  expect(found).toEqual([]);
});
