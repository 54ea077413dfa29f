import { describe, expect, it } from "vitest";
import { insert, once, type State, stateOf } from "../../src/core/command.ts";
import { MerchantError } from "../../src/core/errors.ts";
import type { Tables } from "../../src/core/records.ts";
import { NOW, touched, written } from "../support/rows.ts";

const HOURS_48 = 48 * 3_600_000;
const intent = { scope: "agt_1 op", keyHash: "k", requestHash: "r" };

/** Writes one setting, or refuses where the command says so. */
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

describe("one intention", () => {
  it("is remembered for 48 hours, beside its effect", () => {
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

  it("is known again by the part of its answer that is kept, and does nothing again", () => {
    expect(decide(kept())).toEqual({
      reply: { kept: { made: "it, before" }, replayed: true },
      writes: [],
    });
  });

  it("is answered the same even where it would be refused by now", () => {
    expect(decide(kept(), { refuse: true }).reply.replayed).toBe(true);
  });

  it("cannot be changed under its key", () => {
    expect(() => decide(kept(), { requestHash: "other" })).toThrow(
      expect.objectContaining({ code: "IDEMPOTENCY_CONFLICT" }),
    );
  });

  it("is another one in another scope, or with another key", () => {
    expect(decide(kept(), { scope: "agt_2 op" }).reply.replayed).toBe(false);
    expect(decide(kept(), { keyHash: "other" }).reply.replayed).toBe(false);
  });

  it("is new once its time is over, and takes its old row's place", () => {
    const { reply, writes } = decide(kept({ expires_at: NOW }));
    expect(reply.replayed).toBe(false);
    expect(writes[0]).toMatchObject({ op: "update", table: "idempotency" });
  });

  it("that is refused leaves nothing behind", () => {
    expect(() => decide({}, { refuse: true })).toThrow(MerchantError);
  });

  it("reads its own row before anything else", () => {
    expect(rule.reads({ now: NOW, intent })[0]).toEqual({
      table: "idempotency",
      match: { scope: "agt_1 op", key_hash: "k" },
    });
  });
});
