/** Many orders at once: found, roasted, packed and shipped in the order in which they came. */
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { uspsNumber } from "../support/labels.ts";
import { purchase } from "../support/purchase.ts";
import { startService } from "../support/service.ts";
import { type Answer, send } from "../support/shopper.ts";
import { merchantAt, SECRET, text, type Visitor } from "./visitor.ts";

const NOTE = "Only for you";

type Typed = [name: string, value: string][];

/** The forms of the worklists, as a browser sends them. */
const sendRoast = (desk: Visitor, rows: Typed) =>
  desk.post("/desk/roast", [["act", "orders.roast"], ...rows]);
/** A field that is called by a shipment's id has its number. */
const sendShip = (desk: Visitor, fields: Typed) => {
  const isRow = (name: string) => name.startsWith("shp_");
  const ids = fields.map(([name]) => name).filter(isRow);
  return desk.post("/desk/ship", [
    ["act", "shipments.ship"],
    ["shipment_id", ids.join(" ")],
    ...fields.map(([name, value]): [string, string] => [
      isRow(name) ? `number.${name}` : name,
      value,
    ]),
  ]);
};
const sendUndo = (desk: Visitor, path: string, ids: readonly string[], more: Typed = []) =>
  desk.post(path, [["act", "shipments.undo"], ["shipment_id", ids.join(" ")], ...more]);
const sendNumbers = (desk: Visitor, text: string, column = "") =>
  desk.post("/desk/ship", { act: "labels.match", text, ...(column && { column }) });

const service = await startService({ MERCHANT_SECRET: SECRET });
afterAll(() => service.stop());
const merchant = await merchantAt(service.baseUrl);
const orders: Awaited<ReturnType<typeof purchase>>["order"][] = [];
for (let i = 0; i < 3; i++) {
  orders.push((await purchase(service.baseUrl, { gift_notes: [NOTE] })).order);
  service.clock.advance(1000);
}

/** A shop of a test's own, with its merchant. */
async function ownShop() {
  const open = await startService({ MERCHANT_SECRET: SECRET });
  onTestFinished(open.stop);
  return {
    open,
    desk: await merchantAt(open.baseUrl),
    bought: () => {
      open.clock.advance(1000);
      return purchase(open.baseUrl);
    },
    asking: ({ order, key }: Awaited<ReturnType<typeof purchase>>) =>
      send(open.baseUrl, `/v1/orders/${order.id}/cancel-requests`, {
        key,
        body: { reason_code: "CHANGED_MIND" },
      }),
  };
}

const shown = async (path: string) => text(await merchant.get(path));

it("an order's number is counted up from 1001, and its agent reads it", () => {
  expect(orders.map(({ number }) => number)).toEqual([1001, 1002, 1003]);
});

describe("search", () => {
  const [first, second, third] = orders;
  const { city, region, name } = first!.shipments[0]!.address;
  const renamed = async ({ shipments }: (typeof orders)[number], name: string) => {
    const [{ id, address }] = shipments;
    const { changeAddress } = service.service.merchant.admin("cli").shipments;
    await changeAddress({ shipment_id: id, address: { ...address, name } });
  };

  it.each<[words: string, found: number[]]>([
    ...["1002", "#1002", "Order #1002", "order 1002", "(#1002)", "Your order #1002."].map(
      (words): [string, number[]] => [words, [1002]],
    ),
    ...[second!.id, second!.buyer_email, second!.quote_id, second!.order_url].map(
      (words): [string, number[]] => [words, [1002]],
    ),
    [`See ${second!.order_url}?from=checkout`, [1002]],
    [city.toUpperCase(), [1001, 1002, 1003]],
    [`${region} ${city}`, [1001, 1002, 1003]],
    [name.split(" ").reverse().join(", "), [1001, 1002, 1003]],
    [`${city} nowhere`, []],
    ...["%", "_ustin", "postal_code", "order 9999", "\u202e"].map((words): [string, number[]] => [
      words,
      [],
    ]),
    ["\u200b1002\u202e", [1002]],
  ])("for %j finds %j", async (words, found) => {
    const page = await shown(`/desk/orders?q=${encodeURIComponent(words)}`);
    expect([...new Set(page.match(/#100\d(?= )/g) ?? [])].sort()).toEqual(
      found.map((number) => `#${number}`),
    );
  });

  it("finds a name in any case, with or without its accents and apostrophes", async () => {
    await renamed(second!, "Søren García-O'Neill Иван 김");
    await renamed(third!, 'Élodie "Lo" Ångström');
    const NAMES = {
      "#1002": ["garcia", "Soren Garcia", "o’neill", "García-O‘Neill", "SØREN", "ИВАН", "김"],
      "#1003": ["élodie", "ÉLODIE", "Lo", '"lo"', "ångström élodie"],
      // An accent that was typed is no other letter.
      "Nothing found": ["gercía", "àlodie"],
    };
    for (const [told, all] of Object.entries(NAMES)) {
      for (const words of all) {
        const page = await shown(`/desk/orders?q=${encodeURIComponent(words)}`);
        expect(page, words).toContain(told);
      }
    }
    for (const order of [second!, third!]) await renamed(order, name);
  });
});

it("orders are roasted and shipped in bulk, oldest first", async () => {
  const [first, second, third] = orders.map(({ id }) => id) as [string, string, string];

  const roast = await shown("/desk/roast");
  expect(roast).toMatch(/ 3 3 /);
  expect(roast.indexOf("#1001")).toBeLessThan(roast.indexOf("#1003"));
  const chosen = (...ids: string[]) => ids.map((id): [string, string] => ["order_id", id]);
  const roasted = await sendRoast(merchant, chosen(first, second));
  expect(roasted.headers.get("location")).toBe("/desk/roast");
  const [left = ""] = (await shown("/desk/roast")).split("Started roasting just now");
  expect([left.includes("#1001"), left.includes("#1003")]).toEqual([false, true]);

  // A step that was done already is refused and stops no other.
  const again = await sendRoast(merchant, chosen(first, third));
  expect(again.status).toBe(409);
  expect(text(again)).toContain("1 done, 1 not. #1001: This order is ROASTING");
  expect(await shown("/desk/roast")).toContain("Nothing to roast");

  // A gift's recipient reads no price, no email and no other recipient's address.
  const { text: orderPage } = await merchant.get(`/desk/orders/${first}`);
  expect(orderPage).toContain(`href="/desk/slips?order=${first}"`);
  const slip = await shown(`/desk/slips?order=${first}`);
  expect([slip.includes("#1001"), slip.includes(NOTE)]).toEqual([true, true]);
  expect(slip).not.toMatch(/[$@]|#1002/);
  const address = "Coffee Merchant\n1 Roaster Row\nAustin, TX 78701";
  await merchant.post("/desk/slips", [
    ["act", "shop.setAddress"],
    ["address", address],
  ]);
  expect(await shown(`/desk/slips?order=${first}`)).toContain("1 Roaster Row Austin, TX 78701");

  // Tracking numbers come one by one, as a scanner sends them, or several at once.
  const [a, b, c] = orders.map(({ shipments }) => shipments[0]!.id) as [string, string, string];
  const carrier: [string, string] = ["carrier", "Bike & Co"];
  const refused = await sendShip(merchant, [carrier, [a, "94\u202e00"]]);
  expect(text(refused)).toContain("Nothing was changed. #1001: This text holds a character");
  expect(refused.text).toMatch(
    /value="94\u202e00" autofocus aria-invalid[\s\S]*value="Bike &amp; Co"/,
  );
  const sent = await sendShip(merchant, [carrier, [a, "9400-1"], [b, ""]]);
  const next = await merchant.get(sent.headers.get("location")!);
  expect(next.text).toContain('value="Bike &amp; Co"');
  expect(text(next)).toContain("1 on the way.");
  const both = await sendShip(merchant, [carrier, [b, " 9400-2 "], [c, "9400-3"]]);
  expect(both.headers.get("location")).toContain("/desk/ship");
  expect(await shown("/desk/ship")).toContain("Nothing to ship");
  expect(await shown("/desk/orders?q=9400-2")).toContain("#1002");
  expect(await shown("/desk/orders?q=94+00-2")).toContain("#1002");
  await merchant.post(`/desk/orders/${second}`, [
    ["act", "shipments.correct"],
    ["shipment_id", b],
    ["carrier", "USPS"],
    ["number", "9400 1111 2222 33"],
  ]);
  for (const words of ["94001111222233", "111222233", "2222 33"]) {
    expect(await shown(`/desk/orders?q=${encodeURIComponent(words)}`), words).toContain("#1002 ");
  }

  // One press undoes all that the page shows, another the step before.
  expect(await shown("/desk/ship")).toContain("Undo all 3");
  const back = await sendUndo(merchant, "/desk/ship", [a, b, c]);
  expect(back.headers.get("location")).toBe("/desk/ship");
  expect(await shown("/desk/ship")).toContain("3 undone.");
  await sendUndo(merchant, "/desk/roast", [a]);
  const roasting = await shown("/desk/roast");
  expect(roasting.indexOf("#1001")).toBeLessThan(roasting.indexOf("Started roasting just now"));
  expect((await sendUndo(merchant, "/desk/roast", [a])).status).toBe(409);
});

it("disputed, refunded and cancel-requested orders are marked and not ticked", async () => {
  const { open, desk, bought, asking } = await ownShop();
  const [plain, asked, refunded] = [await bought(), await bought(), await bought()];
  await asking(asked);
  const admin = open.service.merchant.admin("desk");
  await admin.orders.refund({ order_id: refunded.order.id, amount_minor: null });
  const roast = await desk.get("/desk/roast");
  const chosenOn = (page: Answer) =>
    [...page.text.matchAll(/name="order_id" value="(\w+)" checked/g)].map(([, id]) => id);
  expect(chosenOn(roast)).toEqual([plain.order.id]);
  const [attempt] = await open.store.queries.attemptsOfQuote(plain.quote.id);
  open.control.slowRefunds(attempt!.session_id!);
  await admin.orders.refund({ order_id: plain.order.id, amount_minor: null });
  const pending = await desk.get("/desk/roast");
  expect([chosenOn(pending), text(pending).includes("Refund pending")]).toEqual([[], true]);
  expect(text(await desk.get("/desk/orders"))).toContain("To roast Refund pending");
  // The choice stays if not all of it could be done.
  const gone: [string, string] = ["order_id", "ord_none"];
  const late = await sendRoast(desk, [gone, ["order_id", "ord_none_too"]]);
  expect([late.status, chosenOn(late)]).toEqual([409, []]);
  expect(text(roast)).toContain(" 1 1 ");
  const marked = await desk.get(`/desk/orders/${asked.order.id}`);
  expect(text(marked)).toContain("To roast Asks to cancel");
  expect(marked.text).toContain('<button class="quiet" type="submit">Start roasting');
  expect(text(await desk.get("/desk/sales"))).toContain("Discounts $0.00");
  await admin.orders.roast({ order_id: plain.order.id });
  expect((await desk.get("/desk/roast")).text).not.toContain("<table");
  for (const { order } of [asked, refunded]) await admin.orders.roast({ order_id: order.id });
  const ship = await desk.get("/desk/ship");
  expect(text(ship)).toContain("#1001");
  // Ordered in the same instant, so in no order of their own.
  for (const page of [roast, ship]) {
    expect(text(page)).toMatch(/#1002[^#]*Asks to cancel/);
    expect(text(page)).toMatch(/#1003[^#]*Refunded/);
  }
});

/** Three roasted orders to different addresses, by their shipments. */
async function threeToShip() {
  const { open, desk } = await ownShop();
  const admin = open.service.merchant.admin("cli");
  const shipments: string[] = [];
  for (const line1 of ["1 Elm Street", "2 Elm Street", "3 Elm Street"]) {
    const { id } = (await purchase(open.baseUrl)).order;
    const [shipment] = (await admin.orders.show({ order_id: id })).shipments;
    await admin.shipments.changeAddress({
      shipment_id: shipment!.id,
      address: { ...shipment!.address, line1 } as never,
    });
    await admin.orders.roast({ order_id: id });
    shipments.push(shipment!.id);
    open.clock.advance(1000);
  }
  return { admin, desk, shipments };
}

const UPS = ["1Z999AA10123456784", "1Z999AA10123456785"] as const;
const againIn = ({ text }: Answer): Typed =>
  [...text.matchAll(/name="(again[^"]*)" value="([^"]*)"/g)].map(([, name = "", value = ""]) => [
    name,
    value,
  ]);

it("a label scanned into two rows ships the first, and the second once it is sent again", async () => {
  const { admin, desk, shipments } = await threeToShip();
  const [first, second, third] = shipments;
  const sent = await sendShip(desk, [
    [first!, UPS[0]],
    [second!, UPS[0]],
  ]);
  const { name, city, region } = (await admin.orders.list())[0]!.shipments[0]!.address;
  expect(text(sent)).toContain(`Shipped just now #1001 to ${name} , ${city}, ${region} `);
  const used = `${UPS[0]} is also on #1001; submit again to keep it.`;
  expect(text(sent)).toContain(`1 done, 1 not. #1002: ${used}`);
  expect(sent.text).toMatch(new RegExp(`value="${UPS[0]}" autofocus aria-invalid`));
  const foreign = againIn(sent).map(([name]): [string, string] => [name, UPS[1]]);
  expect((await sendShip(desk, [...foreign, [second!, UPS[0]]])).status).toBe(409);
  const kept = await sendShip(desk, [...againIn(sent), [second!, UPS[0]], ["carrier", "Bike"]]);
  expect(kept.headers.get("location")).toBe("/desk/ship?carrier=Bike");
  const carriers = (await admin.orders.list()).map((row) => row.shipments[0]!.tracking?.carrier);
  expect(carriers.sort()).toEqual(["UPS", "UPS", undefined]);

  // The order's own form.
  const { id } = (await admin.orders.list())[0]!;
  const ship = { act: "shipments.ship", shipment_id: third!, number: UPS[0] };
  const refused = await desk.post(`/desk/orders/${id}`, ship);
  expect([refused.status, text(refused).match(/is also on (#100[12](, )?){2};/)]).toEqual([
    422,
    expect.anything(),
  ]);
  const [[, again = ""] = []] = againIn(refused);
  const other = await desk.post(`/desk/orders/${id}`, { ...ship, again: UPS[1] });
  expect(other.status).toBe(422);
  const shipped = await desk.post(`/desk/orders/${id}`, { ...ship, again });
  expect(shipped.headers.get("location")).toBe(`/desk/orders/${id}`);
});

it("a doubtful number of a file is left until it is changed or ticked", async () => {
  const { admin, desk, shipments } = await threeToShip();
  const [gone, first, second] = shipments as [string, string, string];
  await admin.shipments.ship({ shipment_id: gone, tracking: { number: UPS[0] } });
  const read = await sendNumbers(desk, `1002,${UPS[1]}\n1003,${UPS[0]}\n`);
  expect(text(read)).toContain("Mark 1 as shipped, leave 1");
  const fields: [string, string][] = [
    [`doubtful.${second}`, UPS[0]],
    [second, UPS[0]],
    ...againIn(read),
  ];
  expect(read.text).toContain(`name="doubtful.${second}" value="${UPS[0]}"`);
  await sendShip(desk, [...fields, [first, UPS[1]]]);
  const waiting = async () => (await admin.views.counts()).ship;
  expect(await waiting()).toBe(1);
  await sendShip(desk, [...fields, [`anyway.${second}`, "on"]]);
  expect(await waiting()).toBe(0);
});

it("a mistyped number of USPS is told before anything is sent, in a file, a list and an order", async () => {
  const { admin, desk, shipments } = await threeToShip();
  const wrong = `${uspsNumber(1).slice(0, -1)}${(Number(uspsNumber(1).at(-1)) + 1) % 10}`;
  const read = await sendNumbers(desk, `1001,${wrong}\n1002,${uspsNumber(2)}\n`);
  expect(text(read)).toContain("Mark 1 as shipped, leave 1");
  const listed = await sendShip(desk, [
    [shipments[0]!, wrong],
    [shipments[1]!, uspsNumber(2)],
  ]);
  expect([listed.status, text(listed).includes("1 done, 1 not.")]).toEqual([409, true]);
  const [{ id } = { id: "" }] = await admin.orders.list();
  const form = { act: "shipments.ship", shipment_id: shipments[2]!, number: wrong };
  const refused = await desk.post(`/desk/orders/${id}`, form);
  expect(refused.status).toBe(422);
  expect((await admin.views.counts()).ship).toBe(2);
  const kept = await sendShip(desk, [...againIn(listed), [shipments[0]!, wrong]]);
  expect(kept.status).toBe(303);
});

it("the ship and undo forms stay below the field limit, act on each row and know themselves", async () => {
  const { open, desk } = await ownShop();
  const admin = open.service.merchant.admin("desk");
  for (let orders = 0; orders < 2; orders++) {
    const { order } = await purchase(open.baseUrl, { shipments: 40 });
    await admin.orders.roast({ order_id: order.id });
  }
  const waiting = async () => (await admin.views.counts()).ship;
  const page = async () => (await desk.get("/desk/ship")).text;
  const hidden = (html: string, act: string): Typed =>
    ["form", "seen"].map((name) => {
      const own = html.slice(html.indexOf(`value="${act}"`));
      return [name, new RegExp(`name="${name}" value="([^"]+)"`).exec(own)![1]!];
    });
  const numbers = (html: string): Typed =>
    [...html.matchAll(/name="number\.(\w+)"/g)].map(([, id = ""]) => [id, `BIKE-${id.slice(-20)}`]);
  const first = await page();
  const scanned: Typed = [
    ...numbers(first),
    ["carrier", "Bike"],
    ...hidden(first, "shipments.ship"),
  ];
  const left = 80 - numbers(first).length;
  for (const _ of ["pressed", "pressed twice"]) {
    const sent = await sendShip(desk, scanned);
    expect([sent.headers.get("location"), numbers(await page()).length]).toEqual([
      "/desk/ship?carrier=Bike",
      left,
    ]);
  }
  await sendShip(desk, [...numbers(await page()), ["carrier", "Bike"]]);
  expect(await waiting()).toBe(0);
  const shipped = await page();
  const [, ids = ""] = /name="shipment_id" value="([^"]*)">Undo all/.exec(shipped) ?? [];
  const undo = hidden(shipped, "shipments.undo");
  const back = await sendUndo(desk, "/desk/ship", ids.split(" "), undo);
  expect(back.headers.get("location")).toBe("/desk/ship");
  expect(await waiting()).toBe(2);
});

it("a pasted column ships the rows from top to bottom, skips blank lines, and delivers in bulk", async () => {
  const { open, desk, bought } = await ownShop();
  const admin = open.service.merchant.admin("cli");
  const bodies = [await bought(), await bought(), await bought()];
  for (const { order } of bodies) await admin.orders.roast({ order_id: order.id });
  const ids: string[] = bodies.map(({ order }) => order.shipments[0].id);
  const [first, last] = ["1Z999AA10123456784", "9400100000000000000020"];
  const checked = (numbers: string) => sendNumbers(desk, numbers);
  expect(text(await checked("1\n2\n3\n4\n"))).toContain("Every shipment has a number.");
  const filled = ({ text }: Answer) =>
    [...text.matchAll(/name="number.(shp_\w+)"[^>]*\svalue="([^"]+)"/g)].map(([, id, number]) => [
      id,
      number,
    ]);
  const preview = await checked(`Tracking Number\r\n${first}\r\n\r\n${last}\r\n`);
  expect(preview.text).toContain("Mark 2 as shipped");
  expect(filled(preview)).toEqual([
    [ids[0], first],
    [ids[2], last],
  ]);
  const save = (rows: [string, string][]) => sendShip(desk, rows);
  const two = await save([[ids[0]!, `${first} 1Z999AA10123456785`]]);
  expect(text(two)).toContain("more than one tracking number");
  const shipped = await save([
    [ids[0]!, first],
    [ids[1]!, ""],
    [ids[2]!, last],
  ]);
  expect(shipped.headers.get("location")).toContain("/desk/ship");
  const tracking = async () =>
    Promise.all(
      bodies.map(async ({ order }) => {
        const [shipment] = (await admin.orders.show({ order_id: order.id })).shipments;
        return shipment!.tracking && [shipment!.tracking.carrier, shipment!.tracking.number];
      }),
    );
  expect(await tracking()).toEqual([["UPS", first], null, ["USPS", last]]);
  expect((await desk.get("/desk/ship")).headers.get("content-security-policy")).toContain(
    "script-src 'self'",
  );
});

it("a label tool's file comes back by order number, is checked, and saves nothing before the press", async () => {
  const { open, desk } = await ownShop();
  const admin = open.service.merchant.admin("desk");
  const bought = [1, 2, 1].map(async (shipments) => purchase(open.baseUrl, { shipments }));
  for (const { order } of await Promise.all(bought))
    await admin.orders.roast({ order_id: order.id });
  const labels = await desk.get("/desk/export/labels.csv");
  const [heading, ...rows] = labels.text.trim().split("\r\n");
  expect(heading).toBe(
    "Order ID,Name,Address 1,Address 2,City,State,Zip,Country,Email,Weight (oz),Items",
  );
  const refs = rows.map((row) => row.split(",", 1)[0]!);
  expect(refs).toHaveLength(4);
  const [one, two] = refs as [string, string];
  const number = uspsNumber;
  const file = [
    "Ship Date,Order ID,Tracking Status,Tracking Number",
    `2026-03-04,${two},In Transit,"=""${number(2)}"""`,
    "",
    `2026-03-04,${one},In Transit,Mary Poe`,
    `2026-03-04,#9999,In Transit,${number(3)}`,
    `2026-03-04,${refs[3]},In Transit,9.4001E+21`,
  ].join("\n");
  const upload = new FormData();
  upload.set("act", "labels.match");
  upload.set("file", new Blob([file], { type: "text/csv" }), "labels.csv");
  const posted = await fetch(`${open.baseUrl}/desk/ship`, {
    method: "POST",
    body: upload,
    headers: { cookie: desk.cookie, accept: "text/html" },
  });
  const page = (await posted.text()).replace(/<[^>]+>/g, " ");
  expect(page).toContain("3 numbers have a shipment. Nothing is saved yet.");
  for (const wrong of [
    "9999 isn&#39;t waiting to be shipped.",
    "No carrier has such numbers.",
    "Your spreadsheet shortened this number.",
    "1 shipment has no number yet.",
  ]) {
    expect(page.replace(/\s+/g, " "), wrong).toContain(wrong);
  }
  const statuses = async () =>
    (await admin.orders.list()).flatMap(({ shipments }) => shipments.map(({ status }) => status));
  expect(new Set(await statuses())).toEqual(new Set(["ROASTING"]));
  // The same check holds where the preview was not looked at.
  const ids = (await admin.orders.list()).flatMap(({ shipments }) => shipments.map(({ id }) => id));
  const pressed = await sendShip(desk, [
    ["carrier", "USPS"],
    [ids[0]!, "Mary Poe"],
    [ids[1]!, number(5)],
  ]);
  expect(text(pressed)).toContain("1 done, 1 not.");
});

it("a file without a known order column sends no buyer a foreign number: the page asks for the column", async () => {
  const { open, desk } = await ownShop();
  const admin = open.service.merchant.admin("desk");
  const { order } = await purchase(open.baseUrl, { shipments: 3 });
  await admin.orders.roast({ order_id: order.id });
  const refs = [1, 2, 3].map((place) => `#${order.number}-${place}`);
  const numbers = [1, 2, 3].map(uspsNumber);
  const filled = ({ text }: Answer) =>
    [...text.matchAll(/name="number.(shp_\w+)"[^>]*\svalue="([^"]+)"/g)].map(
      ([, , number]) => number,
    );
  const reversed = refs.toReversed().map((ref, i) => `${numbers[2 - i]},${ref},Ann`);
  const found = await sendNumbers(
    desk,
    ["Tracking Number,Order - Number,Name", ...reversed].join("\n"),
  );
  expect([found.status, filled(found)]).toEqual([200, numbers]);
  const foreign = ["Order,Name,Tracking Number", ...numbers.map((one, i) => `${i},Ann,${one}`)];
  const asked = await sendNumbers(desk, foreign.join("\n"));
  expect([asked.status, filled(asked)]).toEqual([422, []]);
  expect([
    ...asked.text.matchAll(/name="column" value="(\d+)"|<option value="(\d+)"/g),
  ]).toHaveLength(2);
  const [, kept = ""] = /name="text" value="([^"]*)"/.exec(asked.text) ?? [];
  const chosen = await sendNumbers(desk, kept, "1");
  expect(filled(chosen)).toEqual([]);
  expect(text(chosen)).toContain("3 lines without a shipment");
});

it("shipments are called by one name on labels, slips and lists, and search finds it", async () => {
  const { open, desk } = await ownShop();
  const { order } = await purchase(open.baseUrl, { shipments: 2 });
  const admin = open.service.merchant.admin("desk");
  await admin.orders.roast({ order_id: order.id });
  for (const words of [`#${order.number}-1`, `${order.number}-2`]) {
    expect(await admin.views.search({ words })).toMatchObject([{ id: order.id }]);
    expect(text(await desk.get("/desk/slips"))).toContain(words);
    expect(text(await desk.get("/desk/ship"))).toContain(words);
  }
  for (const { id } of order.shipments) {
    const tracking = { carrier: "by hand", number: "none" };
    await admin.shipments.ship({ shipment_id: id, tracking });
  }
  expect(text(await desk.get("/desk/deliver"))).toContain(`#${order.number}-2`);
});
