/** Only an idempotency key that nobody else would choose proves who repeats a call (contract §12). */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { isRandom, newId, newNonce } from "../../src/core/ids.ts";

test.each([
  "7f9c2ba4-e88f-427d-9b5c-1d2f7a60c3e5",
  "register-7F9C2BA4-E88F-427D-9B5C-1D2F7A60C3E5",
  "7f9c2ba4e88f427d9b5c1d2f7a60c3e5",
  "019cadfd-8900-76fc-b9cf-098b34d94b48",
  "01KBA3N6W7D4QXZP0RTV9GHS5E",
  "checkout_01kba3n6w7d4qxzp0rtv9ghs5e",
  "V1StGXR8_Z5jdHi6BmyTq",
  "Zt7-xK2mQ9vB4n_Lw8RcY3",
  "checkout-uO4tqX8bY1zKmR7nDw2Gc",
  "q83vEjRWeJCrze8SNFZ4kA==",
])("%s is random", (key) => {
  expect(isRandom(key)).toBe(true);
});

test("what programs make is random", () => {
  const made = Array.from({ length: 500 }, () => [
    randomUUID(),
    newId("req", Date.now()),
    randomBytes(16).toString("hex"),
    createHash("sha256").update(randomBytes(8)).digest("hex"),
  ]).flat();
  // A few hold seven letters of a kind, or a part that looks typed.
  expect(made.filter(isRandom).length / made.length).toBeGreaterThan(0.98);
  const texts = Array.from({ length: 2000 }, newNonce);
  expect(texts.filter(isRandom).length / texts.length).toBeGreaterThan(0.8);
});

test.each([
  "order-1",
  "register-agent-2026-11-29",
  "register_agent-gpt-4o-2024-08-06-v1",
  "checkout-2026-11-30-v1-step2-try1",
  "2026-11-29T10-00Z-v1-order-1a",
  "2026-11-29T10:00:00.000Z-a1b2c3-d4e5f6",
  "buy-Kenya-2x-GPT-4o-Try1-V2-AB",
  "CheckoutGpt4oStep1Try2Alice",
  "20261130100000000120261130100000",
  "00000000-0000-4000-8000-000000000001",
  "a1b2c3d4-e5f6-7890-abcd-ef1234567890",
  "12345678-1234-1234-1234-123456789012",
  "550e8400-e29b-41d4-a716-446655440000",
  "123e4567-e89b-12d3-a456-426614174000",
  "claude3opus20240229v1b2c3d4",
  "k".repeat(40),
])("%s can be guessed", (key) => {
  expect(isRandom(key)).toBe(false);
});
