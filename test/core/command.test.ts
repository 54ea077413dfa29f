import { describe, expect, it } from "vitest";
import { insert, once, type State, stateOf } from "../../src/core/command.ts";
import { MerchantError } from "../../src/core/errors.ts";
import type { Tables } from "../../src/core/records.ts";
import { NOW, touched, written } from "../support/rows.ts";

const HOURS_48 = 48 * 3_600_000;
const intent = { scope: "agt_1 op", keyHash: "k", requestHash: "r" };

/** Writes one setting, or refuses if the command says so. */
const rule = once(
  {
    reads: () => [],
    decide({ refuse }: { refuse?: boolean }) {
      if (refuse) throw new MerchantError("OUT_OF_STOCK", "None left.");
      const reply = { made: "it", with: "much beside" };
      return { reply, writes: [insert("settings", { name: "a", value: "b" })] };
    },
  },
  ["made"],
);

const decide = (
  state: Partial<State> = {},
  change: { refuse?: boolean } & Partial<typeof intent> = {},
) => {
  const { refuse = false, ...other } = change;
  return rule.decide({ now: NOW, intent: { ...intent, ...other }, refuse }, stateOf(state));
};

const kept = (change: Partial<Tables["idempotency"]> = {}): Partial<State> => ({
  idempotency: [
    {
      scope: intent.scope,
      key_hash: "k",
      request_hash: "r",
      reply: '{"made":"it, before"}',
      expires_at: NOW + 1,
      ...change,
    },
  ],
});

describe("an intent", () => {
  it("is stored for 48 hours with its effect", () => {
    const { reply, writes } = decide();
    expect(reply).toEqual({ body: { made: "it", with: "much beside" }, replayed: false });
    expect(touched(writes)).toEqual(["idempotency", "settings"]);
    expect(written(writes, "idempotency")).toEqual([
      {
        scope: "agt_1 op",
        key_hash: "k",
        request_hash: "r",
        reply: '{"made":"it"}',
        expires_at: NOW + HOURS_48,
      },
    ]);
  });

  it("is replayed from the stored part of its answer, without a second effect", () => {
    expect(decide(kept())).toEqual({
      reply: { kept: { made: "it, before" }, replayed: true },
      writes: [],
    });
  });

  it("is replayed even if it would be refused now", () => {
    expect(decide(kept(), { refuse: true }).reply.replayed).toBe(true);
  });

  it("can't be changed under the same key", () => {
    expect(() => decide(kept(), { requestHash: "other" })).toThrow(
      expect.objectContaining({ code: "IDEMPOTENCY_CONFLICT" }),
    );
  });

  it("is a different one in another scope, or with another key", () => {
    expect(decide(kept(), { scope: "agt_2 op" }).reply.replayed).toBe(false);
    expect(decide(kept(), { keyHash: "other" }).reply.replayed).toBe(false);
  });

  it("is new after its expiry, and replaces its old row", () => {
    const { reply, writes } = decide(kept({ expires_at: NOW }));
    expect(reply.replayed).toBe(false);
    expect(writes[0]).toMatchObject({ op: "update", table: "idempotency" });
  });

  it("that is refused stores nothing", () => {
    expect(() => decide({}, { refuse: true })).toThrow(MerchantError);
  });

  it("reads its own row first", () => {
    expect(rule.reads({ now: NOW, intent })[0]).toEqual({
      table: "idempotency",
      match: { scope: "agt_1 op", key_hash: "k" },
    });
  });
});
