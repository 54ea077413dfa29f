/** Typed values survive a short database outage. */
import { afterAll, expect, it, onTestFinished } from "vitest";
import { unavailable } from "../../src/db/store.ts";
import { hiddenFields, text } from "../shop/pages/reading.ts";
import { purchase } from "../support/purchase.ts";
import { startService } from "../support/service.ts";
import { merchantAt, SECRET, signIn, visitor } from "./visitor.ts";

const ADDRESS = {
  email: "buyer@example.com",
  ...{ name: "Ann <b>", line1: "1 Main Street", line2: "" },
  ...{ city: "Austin", region: "TX", postal_code: "78701", accept_total: "3200" },
};

const service = await startService({ MERCHANT_SECRET: SECRET });
afterAll(() => service.stop());
const merchant = service.service.merchant;

/** Simulates a database outage for one verb. */
function silence<T extends object>(verbs: T, name: keyof T) {
  const verb = verbs[name];
  const back = () => Object.assign(verbs, { [name]: verb });
  onTestFinished(() => void back());
  Object.assign(verbs, { [name]: () => Promise.reject(unavailable(new Error("no answer"))) });
  return back;
}

it("a checkout form that hit an outage is sent again with one press", async () => {
  const buyer = visitor(service.baseUrl);
  const opened = await buyer.get("/v1/quick-checkout?items=kenya-nyeri:1");
  const { pathname } = new URL(opened.headers.get("location")!);
  const back = silence(merchant.quickCheckout, "quote");
  const failed = await buyer.post(pathname, ADDRESS);
  expect(failed.status).toBe(503);
  expect(failed.text).toContain(`<form method="post" action="${pathname}">`);
  expect(Object.fromEntries(hiddenFields(failed.text))).toEqual(ADDRESS);
  expect(text(failed.text)).toContain("We kept what you typed. Try again");
  back();
  expect((await buyer.post(pathname, hiddenFields(failed.text))).status).toBe(303);
});

it("a note at the desk too, even if its session could not be read", async () => {
  const { baseUrl, store } = service;
  const { order } = await purchase(baseUrl);
  const owner = await merchantAt(baseUrl);
  const path = `/desk/orders/${order.id}`;
  const note = { act: "orders.note", text: "Call at 9.", form: "f1" };
  const back = silence(merchant.desk, "admits");
  const failed = await owner.post(path, note);
  expect(failed.status).toBe(503);
  expect(Object.fromEntries(hiddenFields(failed.text))).toEqual(note);
  back();
  expect((await owner.post(path, hiddenFields(failed.text))).status).toBe(303);
  expect(await store.queries.notesOfOrder(order.id)).toHaveLength(1);
});

it("no page repeats a secret or a form that would be refused again", async () => {
  const { baseUrl } = service;
  silence(merchant.desk, "signIn");
  const failed = await signIn(baseUrl);
  expect([failed.status, failed.text.includes(SECRET)]).toEqual([503, false]);
  const refused = await visitor(baseUrl).post("/waitlist", { bean: "nothing", email: "a@b.de" });
  expect([refused.status, refused.text.includes("a@b.de")]).toEqual([404, false]);
});
