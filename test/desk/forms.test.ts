/** One form protocol: a form knows its row and version, and a wrong or stale one does nothing. */
import { expect, it, onTestFinished } from "vitest";
import { ROUTES } from "../../src/desk/desk.ts";
import { countRows } from "../support/all-rows.ts";
import { DECAF, STOCKED, WAITLISTED } from "../support/catalog.ts";
import { startService } from "../support/service.ts";
import { ADDRESS, type Answer, send } from "../support/shopper.ts";
import { merchantAt, orderAt, SECRET, text } from "./visitor.ts";

async function shopWithOrders(env = {}) {
  const service = await startService({ MERCHANT_SECRET: SECRET, ...env });
  onTestFinished(service.stop);
  const desk = await merchantAt(service.baseUrl);
  return { ...service, desk, admin: service.service.merchant.admin("cli") };
}

type Values = Record<string, string>;

/** Values of the first form on a page whose fields have these, as a browser sends them. */
function formIn({ text }: Answer, about: Values): Values {
  const forms = text.split("<form").slice(1);
  const own = forms
    .map(valuesOf)
    .find((form) => Object.keys(about).every((n) => form[n] === about[n]));
  if (!own) throw new Error(`no form with ${JSON.stringify(about)}`);
  return own;
}

function valuesOf(form: string): Values {
  const fields = form
    .split("</form>")[0]!
    .matchAll(/<(input|select|option|textarea)([^>]*)>(?:\n([^<]*)<\/textarea>)?/g);
  const values: Values = {};
  let select = "";
  for (const [, tag, attributes = "", written = ""] of fields) {
    const [name, value] = ["name", "value"].map((one) =>
      new RegExp(` ${one}="([^"]*)"`).exec(attributes)?.[1]?.replaceAll("&quot;", '"'),
    );
    if (tag === "select") select = name!;
    else if (tag === "textarea") values[name!] = written;
    else if (tag === "option" && / selected/.test(attributes)) values[select] = value!;
    else if (tag === "input" && !/type="checkbox"/.test(attributes)) values[name!] = value ?? "";
  }
  return values;
}

it("a reason typed for one buyer never appears in another buyer's form", async () => {
  const { baseUrl, desk } = await shopWithOrders();
  const [one, other] = [await orderAt(baseUrl, desk), await orderAt(baseUrl, desk)];
  const [request, ownRequest] = [await one.asked(), await other.asked()];
  const form = formIn(await desk.get("/desk"), {
    act: "cancellations.decline",
    request_id: request,
  });
  await one.press("orders.note", { text: "It changes nothing." });
  await one.press("orders.roast");
  const refused = await desk.post("/desk", { ...form, reason: "You are too late, Ruth." });
  expect(refused.status).toBe(409);
  const [, ...rows] = refused.text.split("<tr>");
  const said = rows.filter((row) => row.includes('value="You are too late, Ruth."'));
  expect(said.map((row) => [row.includes(request), row.includes(ownRequest)])).toEqual([
    [true, false],
  ]);
  expect(refused.text.match(/<details[^>]* open/g)).toHaveLength(1);
  const ids = [...refused.text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

it("the refund of a returned shipment becomes no other amount once it is decided", async () => {
  const { baseUrl, desk, admin, store } = await shopWithOrders();
  const { path, order } = await orderAt(baseUrl, desk, 2);
  const shipment_id: string = order.shipments[0].id;
  await admin.orders.roast({ order_id: order.id });
  for (const { id } of order.shipments) {
    await admin.shipments.ship({ shipment_id: id, tracking: { carrier: "Bike", number: id } });
  }
  await admin.shipments.move({ shipment_id, to: "RETURNED" });
  const page = `${path}/refund?shipment=${shipment_id}`;
  const stale = formIn(await desk.get(page), { act: "shipments.refund" });
  const [task] = (await admin.tasks.waiting()).returns.rows;
  await admin.tasks.handle({ task_id: task!.id });
  const refused = await desk.post(page, stale);
  for (const answer of [refused, await desk.get(page)]) {
    expect(text(answer)).toContain("This shipment needs no decision any more.");
    expect(answer.text).not.toContain('class="danger"');
  }
  expect(refused.status).toBe(409);
  expect(await countRows(store, "refunds")).toBe(0);
});

it("a field that is sent twice counts as missing, and an unknown act does nothing", async () => {
  const { baseUrl, desk } = await shopWithOrders();
  const { path, order } = await orderAt(baseUrl, desk);
  const note = [
    ["act", "orders.note"],
    ["text", "One"],
    ["text", "Two"],
  ] satisfies [string, string][];
  expect((await desk.post(path, note)).status).toBe(422);
  for (const act of ["orders.list", "shop.pause", "constructor", "__proto__"]) {
    expect([act, (await desk.post(path, { act })).status]).toEqual([act, 422]);
  }
  expect((await desk.get(path)).text).not.toContain("One");
  expect(order.status).toBe("CONFIRMED");
});

it("an act is said once: a reload of the page says nothing", async () => {
  const { baseUrl, desk } = await shopWithOrders();
  const { path, press } = await orderAt(baseUrl, desk);
  expect((await press("orders.note", { text: "Call first." })).headers.get("location")).toBe(path);
  expect(text(await desk.get(path))).toContain("The note is saved.");
  expect(text(await desk.get(path))).not.toContain("The note is saved.");
  expect(text(await desk.get(`${path}?done=roast`))).not.toContain("in the roaster");
});

/** By default the second is refused, because the first has changed its row. */
type Second = "act" | "nothing" | "refused";

/** A page's form, what the first and the second tab type, and what becomes of the second. */
type TwoTabs = [path: string, form: string | Values, first?: Values, second?: Values, Second?];

it("two tabs on every form: the second never overwrites the first", async () => {
  const { baseUrl, desk, admin, store, control } = await shopWithOrders({
    SMTP_URL: "smtp://127.0.0.1:9",
    MAIL_FROM: "shop@example.com",
  });
  const shipped = async () => {
    const at = await orderAt(baseUrl, desk);
    await at.press("orders.roast");
    await at.press("shipments.ship", {
      shipment_id: at.shipment,
      carrier: "Bike",
      number: at.shipment,
    });
    return at;
  };
  const [fresh, roasted, canceled, moved, corrected, asked, undone, shortened, accepted] = [
    await orderAt(baseUrl, desk),
    await orderAt(baseUrl, desk),
    await orderAt(baseUrl, desk),
    await shipped(),
    await shipped(),
    await orderAt(baseUrl, desk),
    await shipped(),
    await orderAt(baseUrl, desk, 2),
    await orderAt(baseUrl, desk),
  ];
  await accepted.asked();
  const [inBulk, back, owed, arriving] = [
    await orderAt(baseUrl, desk),
    await shipped(),
    await orderAt(baseUrl, desk),
    await shipped(),
  ];
  await back.press("shipments.move", { to: "RETURNED", shipment_id: back.shipment });
  const written = { key: fresh.key, body: { message: "Do you grind it?" } };
  await send(baseUrl, "/v1/feedback", written);
  const [attempt] = await store.queries.attemptsOfQuote(owed.order.quote_id);
  await control.dispute(attempt!.session_id!);
  await owed.press("orders.refund", { amount: "5" });
  await control.closeDispute(attempt!.session_id!, "won");
  await admin.stock.set({ product_id: WAITLISTED, on_hand: 0 });
  const waits = { product_id: WAITLISTED, quantity: 1, buyer: { email: "one@example.com" } };
  await send(baseUrl, "/v1/waitlist", { key: fresh.key, body: waits });
  const agent_id = (await store.queries.allAgents(undefined, 1))[0]!.id;
  const last = { shipment_id: arriving.shipment };
  const rows = { order_id: inBulk.order.id, shipment_id: inBulk.shipment };
  const bean = {
    ...{ name_to_use_with_humans: "Peru Jaén", price: "20", opening_stock: "5" },
    ...{ roast_level: "Light", tasting_notes: "Plum", on_sale: "on" },
  };
  const email = (await orderAt(baseUrl, desk)).order.buyer_email;
  const customers = `/desk/customers?${new URLSearchParams({ email })}`;
  await roasted.press("orders.roast");
  const request = await asked.asked();
  await admin.stock.set({ product_id: DECAF, on_hand: 70 });
  const shop = (await admin.shop.settings()).name;
  const reason = { reason: "The roaster is broken.", confirmed: "on" };
  const part = (i: number) => ({ ...reason, shipment_ids: shortened.order.shipments[i].id });
  const lives = (line1: string) => ({ ...ADDRESS, line1 });
  const sure = { confirmed: "on" };
  const number = `number.${inBulk.shipment}`;
  const tabs: TwoTabs[] = [
    [fresh.path, "orders.roast"],
    [roasted.path, "shipments.ship", { number: "ONE" }, { number: "TWO" }],
    [moved.path, { act: "shipments.move", to: "DELIVERED" }],
    [undone.path, "shipments.undo"],
    [corrected.path, "shipments.correct", { number: "THREE" }, { number: "FOUR" }],
    [canceled.path, "shipments.changeAddress", lives("1 First Street"), lives("2 Elm Street")],
    [canceled.path, "orders.cancel", reason],
    [shortened.path, "shipments.cancel", part(0), part(1)],
    [`${shortened.path}/refund?amount=5`, "orders.refund"],
    ["/desk", { act: "cancellations.decline", request_id: request }, reason],
    ["/desk/stock", { act: "stock.set", product_id: DECAF }, { on_hand: "80" }, { on_hand: "90" }],
    ["/desk/stock", { act: "stock.setLow", product_id: DECAF }, { low_at: "8" }, { low_at: "9" }],
    [
      "/desk/stock",
      { act: "stock.receive", product_id: DECAF },
      { bags: "1" },
      { bags: "2" },
      "act",
    ],
    [fresh.path, "orders.note", { text: "One" }, { text: "Two" }, "act"],
    [`/desk/catalog/${DECAF}`, "catalog.save", { price: "31.00" }, { price: "32.00" }],
    [accepted.path, "cancellations.accept", sure],
    ["/desk/catalog", { act: "catalog.move", product_id: STOCKED }],
    ["/desk/shop", "shop.change", { name: `${shop} One` }, { name: `${shop} Two` }],
    ["/desk/shop", "shop.pause", { until: "2027-06-01" }, { until: "2027-06-02" }],
    ["/desk/shop", "shop.reopen"],
    ["/desk/slips", "shop.setAddress", { address: "1 First Street" }, { address: "2 Elm Street" }],
    ["/desk/roast", "orders.roast", rows],
    ["/desk/ship", "shipments.ship", { [number]: "B-1" }, { [number]: "B-2" }],
    ["/desk/ship", "shipments.undo", rows],
    ["/desk/deliver", "shipments.move", last],
    ["/desk/messages", "tasks.handle"],
    [fresh.path, { act: "orders.write", task_id: "" }, { text: "One" }, { text: "Two" }, "act"],
    [`${back.path}/refund?shipment=${back.shipment}`, "shipments.refund"],
    [owed.path, "refunds.retry"],
    ["/desk/catalog/new", "catalog.add", bean, { name_to_use_with_humans: "Peru Cusco" }, "act"],
    ["/desk/shop", "courtesy.firstOrder", {}, {}, "nothing"],
    ["/desk/waitlist", "waitlist.remove", {}, {}, "nothing"],
    ["/desk/agents", { act: "keys.revoke", agent_id }, {}, {}, "nothing"],
    [customers, "customers.erase", sure, sure, "act"],
  ];
  const offered = ROUTES.flatMap(({ acts }) => Object.keys(acts ?? {}));
  const formOf = (form: string | Values): Values =>
    typeof form === "string" ? { act: form } : form;
  const tested = new Set(tabs.map(([, form]) => formOf(form).act));
  // It only reads.
  expect(offered.filter((act) => act !== "labels.match" && !tested.has(act!))).toEqual([]);
  const audit = async () => countRows(store, "audit");
  for (const [path, about, typed = {}, second = typed, does = "refused"] of tabs) {
    const form = formOf(about);
    const first = "number" in typed || number in typed ? { carrier: "Bike", ...typed } : typed;
    const pages = [await desk.get(path), await desk.get(path)] as const;
    const [mine, theirs] = [formIn(pages[0], form), formIn(pages[1], form)];
    expect([form.act, (await desk.post(path, { ...mine, ...first })).status]).toEqual([
      form.act,
      303,
    ]);
    const before = await audit();
    const late = await desk.post(path, { ...theirs, ...first, ...second });
    expect([form.act, late.status]).toEqual([form.act, does === "refused" ? 409 : 303]);
    expect([form.act, await audit()]).toEqual([form.act, before + (does === "act" ? 1 : 0)]);
  }
});
