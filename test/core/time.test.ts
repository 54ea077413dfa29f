/** Time windows under clocks that jump ahead or are set back. */
import { expect, it, onTestFinished, test, vi } from "vitest";
import { stateOf } from "../../src/core/command.ts";
import { sharedAnswers } from "../../src/core/concurrency.ts";
import { takePoints } from "../../src/core/rate-limits.ts";
import { clockIn, hourIn, isUnderWay, midnightIn } from "../../src/core/time.ts";
import { NOW } from "../support/rows.ts";

const HOUR = 3_600_000;

test.each([
  ["has just begun", NOW, true],
  ["is about to end", NOW + HOUR - 1, true],
  ["has ended", NOW + HOUR, false],
  ["began by a clock that is a minute ahead", NOW - 60_000, true],
  ["began by a clock that was set back since", NOW - 60_001, false],
])("a window of an hour %s", (_case, now, underWay) => {
  expect(isUnderWay(NOW + HOUR, HOUR, now)).toBe(underWay);
});

test.each([
  ["America/Chicago", "2026-03-08T18:00:00Z", "2026-03-08T06:00:00.000Z"],
  ["America/Chicago", "2026-03-09T02:00:00Z", "2026-03-08T06:00:00.000Z"],
  ["America/Chicago", "2026-11-02T05:59:59Z", "2026-11-01T05:00:00.000Z"],
  ["Asia/Kolkata", "2026-11-01T18:30:00Z", "2026-11-01T18:30:00.000Z"],
])("the day in %s at %s began at %s", (zone, now, began) => {
  expect(new Date(midnightIn(zone, Date.parse(now))).toISOString()).toBe(began);
});

test.each([
  ["UTC", "2026-03-04", "2026-03-04T07:00:00.000Z"],
  ["America/Chicago", "2026-03-07", "2026-03-07T13:00:00.000Z"],
  ["America/Chicago", "2026-03-08", "2026-03-08T12:00:00.000Z"],
  ["America/Chicago", "2026-03-09", "2026-03-09T12:00:00.000Z"],
  ["America/Chicago", "2026-11-01", "2026-11-01T13:00:00.000Z"],
  ["America/Santiago", "2026-09-06", "2026-09-06T10:00:00.000Z"],
  ["Australia/Lord_Howe", "2026-04-05", "2026-04-04T20:30:00.000Z"],
  ["Asia/Kolkata", "2026-11-01", "2026-11-01T01:30:00.000Z"],
])("7:00 in %s on %s is %s", (zone, day, at) => {
  const midnight = midnightIn(zone, Date.parse(`${day}T12:00:00Z`));
  expect(new Date(hourIn(zone, midnight, 7)).toISOString()).toBe(at);
});

test.each([
  ["UTC", "2026-03-04T10:00:00+00:00"],
  ["Europe/London", "2026-07-04T00:30:00+01:00"],
  ["Asia/Kolkata", "2026-03-04T15:30:00+05:30"],
])("a moment in %s has its offset, %s", (zone, text) => {
  expect(clockIn(zone)(new Date(text))).toBe(text);
});

it("UTC has its offset, too, where the platform writes only GMT", () => {
  vi.stubGlobal("Intl", {
    DateTimeFormat: class {
      format = () => "2026-03-04, 10:00:00 GMT";
    },
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  expect(clockIn("UTC")(new Date())).toBe("2026-03-04T10:00:00+00:00");
});

it("a shared limit does not stay used up after the clock was set back", () => {
  const use = { name: "letters", subject: "a", wanted: 1, points: 1, seconds: 3600 };
  const row = { name: use.name, subject: use.subject, used: 1, ends_at: NOW + HOUR };
  const state = stateOf({ rate_limits: [row] });
  expect(takePoints.decide({ ...use, now: NOW }, state).reply.allowed).toBe(false);
  expect(takePoints.decide({ ...use, now: NOW - HOUR }, state).reply.allowed).toBe(true);
});

it("a shared limit counts calls that overtake each other, and clocks that differ by a second", () => {
  const use = { name: "letters", subject: "a", wanted: 1, points: 1, seconds: 3600 };
  const row = { name: use.name, subject: use.subject, used: 1, ends_at: NOW + HOUR };
  const state = stateOf({ rate_limits: [row] });
  for (const now of [NOW - 1, NOW - 1_000])
    expect(takePoints.decide({ ...use, now }, state).reply.allowed).toBe(false);
});

it("a shared answer does not stay after the clock was set back", async () => {
  let now = NOW;
  let asked = 0;
  const ask = sharedAnswers(async () => ++asked, { forMs: 10_000, clock: () => now });
  expect([await ask("page"), await ask("page")]).toEqual([1, 1]);
  now -= HOUR;
  expect(await ask("page")).toBe(2);
});
