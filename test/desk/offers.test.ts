/** An order's page offers what its verbs do: in no state a form that is refused as it is sent. */
import { afterAll, expect, it } from "vitest";
import { startService } from "../support/service.ts";
import { merchantAt, orderAt, SECRET } from "./visitor.ts";

const service = await startService({ MERCHANT_SECRET: SECRET });
afterAll(() => service.stop());
const merchant = await merchantAt(service.baseUrl);
const { baseUrl } = service;
const admin = service.service.merchant.admin("cli");

type Ordered = Awaited<ReturnType<typeof orderAt>>;

let labels = 0;
const label = () => ({ carrier: "USPS", number: `9400 ${labels++}` });
const roast = ({ order }: Ordered) => admin.orders.roast({ order_id: order.id });
const ship = ({ shipment }: Ordered) =>
  admin.shipments.ship({ shipment_id: shipment, tracking: label() });
const move = (to: Parameters<typeof admin.shipments.move>[0]["to"]) => (one: Ordered) =>
  admin.shipments.move({ shipment_id: one.shipment, to });
const cancel = ({ order }: Ordered) =>
  admin.orders.cancel({ order_id: order.id, reason: "Sold out." });
const refund = ({ order }: Ordered) =>
  admin.orders.refund({ order_id: order.id, amount_minor: null });
const refundPart = ({ order }: Ordered) =>
  admin.orders.refund({ order_id: order.id, amount_minor: 500 });
const erase = ({ order }: Ordered) => admin.customers.erase({ email: order.buyer_email });
const later = async () => service.clock.advance(11 * 60_000);

/** The acts that are offered besides a note. */
const PAID = "orders.roast shipments.changeAddress orders.cancel";
const ROASTING = "shipments.ship shipments.undo shipments.changeAddress orders.cancel";
const LEFT = "shipments.move shipments.undo shipments.correct";
const BACK = "shipments.ship tasks.handle shipments.undo shipments.changeAddress";
const ASKED = "cancellations.accept cancellations.decline";

const WHAT_HAPPENED: Record<string, [offers: string, ...((one: Ordered) => Promise<unknown>)[]]> = {
  "is paid": [PAID],
  "has a refund that can be undone": [PAID, refundPart],
  "is roasting": [ROASTING, roast],
  "has left": [LEFT, roast, ship],
  "is out for delivery": [LEFT, roast, ship, move("OUT_FOR_DELIVERY")],
  "could not be delivered": [
    "shipments.move shipments.correct",
    roast,
    ship,
    move("FAILED"),
    later,
  ],
  "came back": [BACK, roast, ship, move("RETURNED")],
  "came back and was refunded": [BACK, roast, ship, move("RETURNED"), refund],
  "came back, its buyer erased": ["tasks.handle", roast, ship, move("RETURNED"), erase],
  "came back refunded, its buyer erased": [
    "tasks.handle",
    roast,
    ship,
    move("RETURNED"),
    refund,
    erase,
  ],
  "has arrived": ["shipments.undo shipments.correct", roast, ship, move("DELIVERED")],
  "has arrived, its buyer erased": ["", roast, ship, move("DELIVERED"), erase],
  "is canceled": ["", cancel],
  "is canceled, its buyer erased": ["", cancel, erase],
  "is canceled and refunded": ["", cancel, refund],
  "is asked to be canceled": [`${ASKED} ${PAID}`, ({ asked }) => asked()],
  "is roasting and asked to be canceled": [`${ASKED} ${ROASTING}`, roast, ({ asked }) => asked()],
};

async function ordered(happened: ((one: Ordered) => Promise<unknown>)[]): Promise<Ordered> {
  const one = await orderAt(baseUrl, merchant);
  for (const act of happened) await act(one);
  return one;
}

/** The forms of a page as a browser sends them, a new label in it, and a reason. */
async function formsOf({ path }: Ordered): Promise<Record<string, string>[]> {
  const { text } = await merchant.get(path);
  const main = text.slice(text.indexOf("<main"));
  return [...main.matchAll(/<form[^>]*method="post"[\s\S]*?<\/form>/g)].map(([form]) => {
    const typed: Record<string, string> = {
      ...label(),
      region: "TX",
      reason: "So it is.",
      text: "A note.",
    };
    const fields = [...form.matchAll(/<(?:input|textarea|select)[^>]*>/g)].map(([control]) => {
      const attribute = (name: string) =>
        new RegExp(` ${name}="([^"]*)"`).exec(control)?.[1]?.replaceAll("&quot;", '"') ?? "";
      const name = attribute("name");
      return [name, typed[name] ?? attribute("value")];
    });
    return Object.fromEntries(fields);
  });
}

it.each(Object.entries(WHAT_HAPPENED))(
  "every form of an order's page works: it %s",
  async (...row) => {
    const [, [acts, ...happened]] = row;
    const offered = await formsOf(await ordered(happened));
    const found = new Set(offered.map(({ act }) => act));
    expect([...found].join(" ")).toBe(`${acts} orders.note`.trim());
    for (const { act } of offered) {
      const one = await ordered(happened);
      const again = await formsOf(one);
      const { act: _, ...fields } = again.find((form) => form.act === act)!;
      const first = await one.press(act!, fields);
      // A cancellation that refunds is confirmed on a page.
      const answer =
        first.status === 200 ? await one.press(act!, { ...fields, confirmed: "on" }) : first;
      expect([act, answer.status, fields]).toEqual([act, 303, fields]);
    }
  },
);
