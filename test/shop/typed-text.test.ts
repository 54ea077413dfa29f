/** Every form of every page keeps the typed text after an error. */
import { expect, it, onTestFinished } from "vitest";
import { merchantAt, orderAt, SECRET, type Visitor } from "../desk/visitor.ts";
import { DECAF, WAITLISTED } from "../support/catalog.ts";
import { startService } from "../support/service.ts";
import { resolved } from "./pages/reading.ts";

/** Text that every form refuses. */
const TYPED = "x\u202ex";

interface Filled {
  action: string;
  fields: [name: string, value: string][];
  /** Markup of the page with each field as typed. */
  shown: [name: string, markup: string][];
}

const attribute = (tag: string, name: string): string | undefined => {
  const [, value] = new RegExp(` ${name}="([^"]*)"`).exec(tag) ?? [];
  return value && resolved(value);
};

/** A form with that text in all fields and the last of every choice. */
function filled(form: string, path: string): Filled {
  const sent: Filled = { action: attribute(form, "action") ?? path, fields: [], shown: [] };
  const choices = form.split("<select").slice(1);
  for (const [tag, kind] of form.matchAll(/<(input|textarea|select)\b[^>]*>/g)) {
    const name = attribute(tag, "name")!;
    const type = attribute(tag, "type") ?? kind;
    if (type === "hidden") sent.fields.push([name, attribute(tag, "value") ?? ""]);
    else if (type === "select") {
      const [options = ""] = choices.shift()!.split("</select>");
      const last = [...options.matchAll(/<option value="([^"]*)"/g)].at(-1)![1]!;
      sent.fields.push([name, last]);
      sent.shown.push([name, `<option value="${last}" selected`]);
    } else if (!["checkbox", "radio"].includes(type!)) {
      sent.fields.push([name, TYPED]);
      // A password has to be typed again.
      sent.shown.push([name, type === "password" ? "" : TYPED]);
    }
  }
  return sent;
}

/** Forms of a page with their fields that lost the typed text. */
async function refusedForms(visitor: Visitor, path: string) {
  const page = (await visitor.get(path)).text;
  const refused: { form: string; status: number; lost: string[] }[] = [];
  for (const [form] of page.matchAll(/<form[^>]*method="post"[\s\S]*?<\/form>/g)) {
    const { action, fields, shown } = filled(form, path);
    if (shown.length === 0) continue;
    const answer = await visitor.post(action, fields);
    const lost = shown.filter(([, markup]) => !answer.text.includes(markup));
    const act = fields.find(([name]) => name === "act")?.[1] ?? "form";
    const { status } = answer;
    refused.push({
      form: `${path.split("/")[1]} ${act}`,
      status,
      lost: lost.map(([name]) => name),
    });
  }
  return refused;
}

it("is kept, whatever was wrong with it", async () => {
  const { baseUrl, service, stop } = await startService({ MERCHANT_SECRET: SECRET });
  onTestFinished(stop);
  const merchant = await merchantAt(baseUrl);
  const ordered = () => orderAt(baseUrl, merchant);
  const [fresh, roasting, shipped, asking] = await Promise.all([1, 2, 3, 4].map(ordered));
  for (const { press } of [roasting!, shipped!]) await press("orders.roast");
  const tracking = { shipment_id: shipped!.shipment, carrier: "USPS", number: "1" };
  await shipped!.press("shipments.ship", tracking);
  await asking!.asked();
  await service.merchant.admin("cli").stock.set({ product_id: WAITLISTED, on_hand: 0 });
  const cart = await merchant.get(`/v1/quick-checkout?items=${DECAF}:1`);
  const paths = [
    ...[fresh, roasting, shipped, asking].map((order) => order!.path),
    ...["", "/stock", "/ship", "/slips", "/catalog/new", `/catalog/${DECAF}`, "/sign-in"].map(
      (page) => `/desk${page}`,
    ),
    ...[new URL(cart.headers.get("location")!).pathname, `/waitlist?bean=${WAITLISTED}`],
    new URL(fresh!.order.order_url).pathname,
  ];
  const found = [];
  for (const path of paths) found.push(...(await refusedForms(merchant, path)));
  expect(found.filter(({ status, lost }) => status < 400 || lost.length > 0)).toEqual([]);
  const forms = [...new Set(found.map(({ form }) => form))].sort();
  const atDesk = [
    ...["cancellations.decline", "catalog.add", "catalog.save", "form", "labels.match"],
    ...["orders.cancel", "orders.note", "shipments.changeAddress", "shipments.correct"],
    ...["shipments.ship", "shop.setAddress", "stock.receive", "stock.set", "stock.setLow"],
  ].map((act) => `desk ${act}`);
  expect(forms).toEqual([
    "checkout form",
    ...atDesk,
    "review form",
    "waitlist?bean=rwanda-huye form",
  ]);
  // The amount of a refund is sent to the page that confirms it.
  const refund = await merchant.get(`${fresh!.path}/refund?amount=${encodeURIComponent(TYPED)}`);
  expect(refund.text).toContain(`value="${TYPED}"`);
  expect(refund.text).not.toContain('method="post" action="/desk/orders');
});
