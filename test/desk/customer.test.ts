/** A customer's page: orders, messages, a copy of the data, and erasure without a terminal. */
import { expect, it, onTestFinished } from "vitest";
import { purchase } from "../support/purchase.ts";
import { startService } from "../support/service.ts";
import { send } from "../support/shopper.ts";
import { merchantAt, orderAt, SECRET, text } from "./visitor.ts";

it("shows a customer's orders and messages, exports and erases them after a question", async () => {
  const { baseUrl, stop, service, store, clock } = await startService({ MERCHANT_SECRET: SECRET });
  onTestFinished(stop);
  const desk = await merchantAt(baseUrl);
  const { order, key, path } = await orderAt(baseUrl, desk);
  const email: string = order.buyer_email;
  clock.advance(1000);
  const { order: next } = await purchase(baseUrl, { email });
  const body = { message: "Do you grind it?", order_id: order.id };
  await send(baseUrl, "/v1/feedback", { key, body });
  const page = `/desk/customers?${new URLSearchParams({ email })}`;
  expect((await desk.get(path)).text).toContain(`href="${page}"`);
  const shown = text(await desk.get(page));
  expect(shown).toMatch(new RegExp(`#${next.number} .*#${order.number} .*Do you grind it\\?`));
  const copy = await desk.post("/desk/export/customer.json", { email });
  expect(copy.headers.get("content-disposition")).toContain("customer.json");
  expect(copy.body.orders.map(({ number }: { number: number }) => number).sort()).toEqual(
    [order.number, next.number].sort(),
  );
  const asked = await desk.post(page, { act: "customers.erase", email });
  expect([asked.status, text(asked).includes("This can’t be undone.")]).toEqual([200, true]);
  expect((await store.queries.order(order.id))!.buyer_email).toBe(email);
  const admin = service.merchant.admin("cli");
  await admin.orders.cancel({ order_id: order.id, reason: "No beans.", refund: true });
  const erased = await desk.post(page, { act: "customers.erase", email, confirmed: "on" });
  expect(erased.headers.get("location")).toBe("/desk/orders");
  expect(text(await desk.get("/desk/orders"))).toContain(
    `Erased, except what is erased once it ends: order #${next.number}.`,
  );
  expect((await store.queries.order(order.id))!.buyer_email).toBe("erased");
  expect((await desk.get("/desk/customers?email=nobody")).status).toBe(422);
});
