/** An invalid setting is named and refused, never guessed (contract §16). */
import { describe, expect, test } from "vitest";
import { readConfig } from "../../src/app/config.ts";

/** Spellings that JavaScript reads as numbers and people don't, and octal numbers. */
const ODD = ["0x10", "1e3", " 80 ", "80\r", "+80", "-1", "80.0", "0b11", "0o17", "016", "8_0", "٨"];

const NUMBERS = {
  PORT: "65535",
  METRICS_PORT: "0",
  QUOTE_TTL_HOURS: "2160",
  TRUST_PROXY: "10",
  MAX_CONNECTIONS: "16",
  DRAIN_SECONDS: "60",
};

describe.each(Object.entries(NUMBERS))("%s", (name, good) => {
  test.each(ODD)("refuses %j", (typed) => {
    const says = `${name} must be a whole number from `;
    expect(() => readConfig({ [name]: typed })).toThrow(says);
    expect(() => readConfig({ [name]: typed })).toThrow(
      `in plain digits, not ${JSON.stringify(typed)}.`,
    );
  });

  test("takes plain digits, and the default if it is empty", () => {
    const usual = readConfig({});
    expect(readConfig({ [name]: good })).not.toEqual(usual);
    for (const empty of ["", " "]) expect(readConfig({ [name]: empty })).toEqual(usual);
  });
});

test.each(["quotes=0x10", "quotes=1e3", "quotes= 80", "quotes=080", "quotes=+8"])(
  "a rate limit is a number in plain digits, too: %s",
  (RATE_LIMITS) => {
    expect(() => readConfig({ RATE_LIMITS })).toThrow(
      /RATE_LIMITS must be on, off, or name=number/,
    );
  },
);
