/** The rest of the desk: stock, keys, what others wrote, and the log. */

import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { countRows } from "../support/all-rows.ts";
import { WAITLISTED } from "../support/catalog.ts";
import { confirmed } from "../support/queue.ts";
import { startService } from "../support/service.ts";
import { register, send } from "../support/shopper.ts";
import { merchantAt, orderAt, SECRET, text } from "./visitor.ts";

const service = await startService({ MERCHANT_SECRET: SECRET });
afterAll(() => service.stop());
const merchant = await merchantAt(service.baseUrl);

const stock = (productId: string) =>
  service.store.queries
    .stock()
    .then((rows) => rows.find((row) => row.product_id === productId)!.on_hand);

describe("the stock page", () => {
  const set = (seen: number, onHand: string) =>
    merchant.post("/desk/stock", {
      act: "stock.set",
      product_id: WAITLISTED,
      seen: String(seen),
      on_hand: onHand,
    });

  it("names the offers that fewer bags end, and bags waited for before a wanted bean goes off sale", async () => {
    const open = await startService({ MERCHANT_SECRET: SECRET });
    onTestFinished(open.stop);
    const desk = await merchantAt(open.baseUrl);
    const { stock } = open.service.merchant.admin("cli");
    const joins = async (quantity: number, email: string) => {
      const { body } = await send(open.baseUrl, "/v1/waitlist", {
        key: await register(open.baseUrl),
        body: { product_id: WAITLISTED, quantity, buyer: { email } },
      });
      await confirmed(open, body.id);
    };
    await stock.set({ product_id: WAITLISTED, on_hand: 0 });
    await joins(3, "first@example.com");
    await stock.set({ product_id: WAITLISTED, on_hand: 5 });
    const counted = { act: "stock.set", product_id: WAITLISTED, seen: "5", on_hand: "1" };
    const asked = text(await desk.post("/desk/stock", counted));
    expect(asked).toContain("These waitlist offers end.");
    expect(asked).toContain("3 bags for first@example.com");
    const rows = () => open.store.queries.stock();
    const held = async () => (await rows()).find((row) => row.product_id === WAITLISTED)!.held;
    expect(await held()).toBe(3);
    await desk.post("/desk/stock", { ...counted, confirmed: "on" });
    expect(await held()).toBe(0);
    await joins(9, "later@example.com");
    const page = text(await desk.get(`/desk/catalog/${WAITLISTED}`));
    expect(page).toContain("12 bags of it are waited for.");
  });

  it("refuses an old page and text that is no number", async () => {
    const seen = await stock(WAITLISTED);
    await set(seen, String(seen + 7));
    const old = await set(seen, String(seen + 1));
    expect(old.status).toBe(409);
    expect(text(old)).toContain(`was ${seen} on hand when you looked and is ${seen + 7} now`);
    expect(old.text).toContain(`value="${seen + 1}" maxlength="7" aria-invalid="true"`);
    const typed = await set(seen + 7, "many");
    const { name_to_use_with_humans: name } = service.service.merchant.catalog.find(WAITLISTED)!;
    const said = `Bags of ${name} on hand: Use a whole number, such as 12.`;
    expect([typed.status, text(typed)]).toEqual([422, expect.stringContaining(said)]);
    expect(typed.text).toContain(`href="#stock-set-${WAITLISTED}"`);
    expect(typed.text.match(/aria-invalid/g)).toHaveLength(1);
    expect(typed.text).toContain('value="many" maxlength="7" aria-invalid="true"');
    for (const other of ["007", "+7", "7.0", "0x7"]) {
      expect([other, (await set(seen + 7, other)).status]).toEqual([other, 422]);
    }
    expect(await stock(WAITLISTED)).toBe(seen + 7);
  });

  it("adds received bags, and warns below the bean's own number", async () => {
    const before = await stock(WAITLISTED);
    const row = { product_id: WAITLISTED };
    expect(
      (await merchant.post("/desk/stock", { act: "stock.receive", ...row, bags: "40" })).status,
    ).toBe(303);
    expect(await stock(WAITLISTED)).toBe(before + 40);
    expect(
      (await merchant.post("/desk/stock", { act: "stock.receive", ...row, bags: "-1" })).status,
    ).toBe(422);
    await merchant.post("/desk/stock", { act: "stock.setLow", ...row, low_at: "1000" });
    const { name_to_use_with_humans: name } = service.service.merchant.catalog.find(WAITLISTED)!;
    const short = text(await merchant.get("/desk"));
    expect(short).toMatch(new RegExp(`${name} \\d+ 1000`));
    expect(short).toMatch(/ Stock [1-9] /);
    await merchant.post("/desk/stock", { act: "stock.setLow", ...row, low_at: "0" });
    const listed = new RegExp(`${name} \\d+ 0`);
    expect(text(await merchant.get("/desk"))).not.toMatch(listed);
    // Whatever the number, while somebody waits.
    const admin = service.service.merchant.admin("cli");
    await admin.stock.set({ ...row, on_hand: 0 });
    const body = { ...row, quantity: 1, buyer: { email: "waits@example.com" } };
    await send(service.baseUrl, "/v1/waitlist", { key: await register(service.baseUrl), body });
    expect(text(await merchant.get("/desk"))).toMatch(listed);
    const [entry] = await admin.waitlist.list({});
    await admin.waitlist.remove({ entry_id: entry!.id });
    await admin.stock.set({ ...row, on_hand: before });
  });

  it("switches FIRSTBAG off and on", async () => {
    const press = (on: string) => merchant.post("/desk/shop", { act: "courtesy.firstOrder", on });
    const { information } = service.service.merchant;
    expect((await press("off")).status).toBe(303);
    expect(await information.firstOrderRuns()).toBe(false);
    expect(text(await merchant.get("/desk/shop"))).toContain("Switch FIRSTBAG on");
    await press("on");
    expect(await information.firstOrderRuns()).toBe(true);
  });
});

describe("the merchant", () => {
  it("reads feedback and leads as strangers' words", async () => {
    const key = await register(service.baseUrl);
    const message = "Lovely <script>alert(1)</script>";
    await send(service.baseUrl, "/v1/feedback", { key, body: { message } });
    const lead = { email: "office@example.com", purpose: "400 guests", quantity: "300 bags" };
    await send(service.baseUrl, "/v1/bulk-leads", { key, body: lead });
    const page = await merchant.get("/desk/messages");
    expect(page.text).not.toContain("<script");
    expect(text(page)).toContain("Lovely &lt;script&gt;");
    // Every key has an address to answer to.
    const [{ agent_id = "" } = {}] = await service.service.merchant.admin("cli").feedback.list();
    const { name, contact_email } = (await service.store.queries.agent(agent_id))!;
    expect(text(page)).toContain(`Agent ${name} ${contact_email}`);
    expect(text(await merchant.get("/desk"))).toContain(contact_email);
    expect(text(page)).toContain("400 guests");
    expect((await merchant.get("/desk/incidents")).status).toBe(200);
  });

  it("finds every act in the log, with its interface", async () => {
    const { press, order } = await orderAt(service.baseUrl, merchant);
    await press("orders.roast");
    const acts = await service.store.queries.allAudit();
    expect(acts.filter(({ subject }) => subject === order.id)).toMatchObject([
      { act: "orders.roast", actor: "desk" },
    ]);
    const log = await merchant.get("/desk/log");
    expect(log.text).toMatch(/Started roasting <a href="\/desk\/orders\/ord_\w+">order #1001<\/a>/);
  });

  it("reads long lists page by page, without a gap", async () => {
    const { keys } = service.service.merchant.admin("desk");
    for (let i = 0; i < 3; i++) await register(service.baseUrl);
    const found: string[] = [];
    for (let rows = await keys.list({ limit: 2 }); rows.length > 0; ) {
      found.push(...rows.map(({ id }) => id));
      const { id, created_at } = rows.at(-1)!;
      rows = await keys.list({ before: { at: Date.parse(created_at), id }, limit: 2 });
    }
    expect(new Set(found).size).toBe(found.length);
    expect(found).toHaveLength(await countRows(service.store, "agents"));
    const beyond = await merchant.get("/desk/log?before=1.aud_none");
    expect(text(beyond)).toContain("Nothing done yet.");
  });
});
