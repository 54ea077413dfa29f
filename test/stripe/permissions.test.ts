/** A start names the missing permissions of a key as the dashboard does, with Stripe's refusals. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { KeyRefused, ProviderUnavailable } from "../../src/payments/provider.ts";
import { KEY_PERMISSIONS, PERMISSIONS } from "../../src/payments/stripe/permissions.ts";
import { EVENTS_OF_INTEREST } from "../../src/payments/stripe/webhook.ts";
import { collect, world } from "./harness.ts";

test("a key with all permissions passes, and nothing is created", async () => {
  const w = await world();
  await expect(w.provider.checkKey()).resolves.toBeNull();
  expect(await collect(w.provider.listCheckouts(0))).toEqual([]);
  expect(w.sandbox.coupons.size).toBe(0);
});

test("all missing permissions are named at once, each with Stripe's refusal", async () => {
  const w = await world();
  w.control.faults.lacks = ["rak_coupon_write", "rak_charge_write"];
  const error = await w.provider.checkKey().catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(KeyRefused);
  const { message } = error as Error;
  expect(message).toContain("- Coupons: Write, to take the discount off the total.");
  expect(message).toContain("- Charges and Refunds: Write");
  expect(message).toContain("Having the 'rak_charge_write' permission would allow this request");
  expect(message).not.toContain("Disputes");
  expect(message).not.toMatch(/rk_test_\*/);
});

test("a key that can only read sessions is refused", async () => {
  const w = await world();
  w.control.faults.lacks = [
    "rak_checkout_session_write",
    "rak_coupon_write",
    "rak_charge_write",
    "rak_payment_intent_write",
    "rak_dispute_read",
  ];
  const error = (await w.provider.checkKey().catch((cause: unknown) => cause)) as Error;
  for (const { name } of PERMISSIONS) expect(error.message).toContain(`- ${name}: `);
  await expect(w.provider.ping()).resolves.toBeUndefined();
});

test("an outage says nothing about the key", async () => {
  const w = await world();
  await w.sandbox.close();
  const error = await w.provider.checkKey().catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(ProviderUnavailable);
  expect(error).not.toBeInstanceOf(KeyRefused);
});

test("docs/operate.md names exactly these permissions and exactly these events", () => {
  const text = readFileSync(new URL("../../docs/operate.md", import.meta.url), "utf8");
  const section = text.split("## Taking real payments")[1]!.split("\n## ")[0]!;
  const rows = [...section.matchAll(/^\| ([A-Z][\w ]+) \| (Write|Read) \|/gm)];
  expect(rows.map(([, name, level]) => `${name} (${level})`).join(", ")).toBe(KEY_PERMISSIONS);
  const events = [...section.matchAll(/^((?:checkout|payment_intent|charge|refund)\.[\w.]+)$/gm)];
  expect(events.map(([, type]) => type)).toEqual([...EVENTS_OF_INTEREST]);
});
