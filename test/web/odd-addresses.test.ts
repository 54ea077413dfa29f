/** Clients change addresses and forms: no page may break, and every button must still work. */
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { merchantAt, SECRET, type Visitor, visitor } from "../desk/visitor.ts";
import { WAITLISTED } from "../support/catalog.ts";
import { form, newEmail, purchase, readyQuote } from "../support/purchase.ts";
import { startService, type TestService } from "../support/service.ts";
import { type Answer, send } from "../support/shopper.ts";

let service: TestService;
let merchant: Visitor;
/** One page of each kind with a secret address. */
let pages: Record<"review" | "order" | "sandbox" | "checkout" | "waitlist", string>;
let order: { id: string; shipments: { id: string }[] };
beforeAll(async () => {
  service = await startService({ MERCHANT_SECRET: SECRET });
  const { baseUrl } = service;
  merchant = await merchantAt(baseUrl);
  const bought = await purchase(baseUrl);
  order = bought.order;
  const pathIn = (answer: Answer) => new URL(answer.headers.get("location")!, baseUrl).pathname;
  const { reviewUrl } = await readyQuote(baseUrl);
  await service.service.merchant.admin("cli").stock.set({ product_id: WAITLISTED, on_hand: 0 });
  const joined = { bean: WAITLISTED, bags: "2", email: newEmail() };
  pages = {
    review: new URL(reviewUrl).pathname,
    order: new URL(bought.reviewUrl).pathname,
    sandbox: pathIn(await send(baseUrl, reviewUrl, { method: "POST" })),
    checkout: pathIn(await send(baseUrl, "/v1/quick-checkout?items=kenya-nyeri:1")),
    waitlist: pathIn(await visitor(baseUrl).post("/waitlist", joined)),
  };
});
afterAll(() => service?.stop());

it("an address with a trailing slash shows the same page, forms and links", async () => {
  for (const [name, path] of Object.entries(pages)) {
    const links = async (at: string) => {
      const page = await visitor(service.baseUrl).get(at);
      expect(page.status, at).toBe(200);
      return page.text.match(/(action|href)="[^"]*"/g);
    };
    expect(await links(`${path}/`), name).toEqual(await links(path));
    expect(await links(`${path}/?from=mail/`), name).toEqual(await links(`${path}?from=mail/`));
  }
  const { headers } = await send(service.baseUrl, "/v1/catalog/");
  expect(headers.get("access-control-allow-origin")).toBe("*");
});

/** Text that PostgreSQL refuses and no browser sends. */
const UNKEEPABLE = "a%00b";

it("text that a database can't store is refused or ignored in every address, link and form", async () => {
  const { review, order: ordered, checkout, sandbox, waitlist } = pages;
  const [shipment] = order.shipments;
  const at = `/desk/orders/${order.id}`;
  const read = [
    ...["/review/X", "/checkout/X", "/waitlist/X", "/sandbox/checkout/X", "/assets/beans/X.svg"],
    ...["/?items=X:1,kenya-nyeri:1&gift_note=X&discount_code=X", "/v1/X"],
    ...["/v1/quick-checkout?items=kenya-nyeri:1&gift_note=X&buyer_email=X", "/waitlist?bean=X"],
    ...["/quick-checkout-link?qty_kenya-nyeri=1&gift_note=X&buyer_email=X", `${review}?from=X`],
    ...[`${review}/cancel?payment=X`, "/desk/X", "/desk/orders/X", "/desk/catalog/X"],
    ...["/desk/orders?q=X&show=X", "/desk/orders?before=X", "/desk/slips?order=X", "/desk?done=X"],
    ...["/v1/link-orders?checkout_url=X", `/v1/link-orders?checkout_url=${review}X`],
    ...["/ucp/carts/X", "/ucp/checkout-sessions/X", "/ucp/orders/X"],
    ...["/desk/messages?leads=X&feedback=X", "/desk/waitlist?after=X", "/desk/sign-in?to=X"],
  ];
  const written: [path: string, fields: string][] = [
    [`${review}/cancel`, "payment=X"],
    [`${ordered}/cancel-request`, "reason=OTHER&message=X&form=first"],
    [`${ordered}/cancel-request`, "reason=X&shipment=X&form=X"],
    [`${ordered}/cancel-request`, "form=X&shipment=X&reason=X&message=X"],
    [`${ordered}/cancel-request`, `form=X&shipment=${shipment?.id}`],
    [`${ordered}/cancel-request/withdraw`, "request=X"],
    [checkout, "email=X&name=X&line1=X&city=X&region=X&postal_code=X&accept_total=X"],
    [`${sandbox}/pay`, "card=X"],
    ["/cart", "add=X&bags=X&qty_kenya-nyeri=1&gift_note=X&discount_code=X"],
    ["/waitlist", `bean=${WAITLISTED}&bags=100&email=b%40example.com&form=X`],
    [`${waitlist}/leave`, "form=X"],
    ["/desk", "act=tasks.handle&task_id=X"],
    ["/desk", "act=orders.refund&order_id=X&seen=1"],
    ["/desk/stock", "act=stock.receive&product_id=kenya-nyeri&bags=1&form=X"],
    ["/desk/stock", "act=stock.set&product_id=X&on_hand=1"],
    ["/desk/catalog", "act=catalog.move&product_id=X&place=1"],
    ["/desk/catalog/new", "act=catalog.add&product_id=X&name=X&brewing=X%3AX"],
    ["/desk/catalog/preview", "act=publish&version=X"],
    ["/desk/agents", "act=keys.revoke&agent_id=X"],
    ["/desk/slips", "act=shop.setAddress&address=X"],
    [at, "act=orders.note&text=X&form=X"],
    [at, "act=orders.note&text=hello&form=X"],
    [at, "act=cancellations.decline&request_id=X&reason=X"],
    [at, `act=shipments.ship&shipment_id=${shipment?.id}&carrier=X&number=X&url=X`],
    [
      at,
      `act=shipments.changeAddress&shipment_id=X&name=X&line1=X&city=X&region=TX&postal_code=78701`,
    ],
    ["/desk/roast", "order=X"],
    ["/desk/roast", "undo=all&step=X"],
    ["/desk/ship", "shp_X=1&carrier=X"],
    ["/desk/ship", `${shipment?.id}=X&carrier=X`],
    ["/desk/sign-in", "secret=X&stay=X&to=X"],
    ["/find-order", "number=X&email=b%40example.com&postal_code=78701"],
    ["/find-order", "number=qte_X&email=b%40example.com&postal_code=78701"],
  ];
  const put = (text: string) => text.replaceAll("X", UNKEEPABLE);
  const failed: string[] = [];
  for (const path of read) {
    const headers = { cookie: merchant.cookie, "ucp-agent": 'profile="https://agent.example/ucp"' };
    const answer = await send(service.baseUrl, put(path), { headers });
    if (answer.status >= 500) failed.push(path);
  }
  for (const [path, fields] of written) {
    const posted = form({});
    const headers = { ...posted.headers, cookie: merchant.cookie };
    const answer = await send(service.baseUrl, path, { ...posted, raw: put(fields), headers });
    if (answer.status >= 500) failed.push(`${path} ${fields}`);
  }
  expect(failed).toEqual([]);
});

it("a target with scheme and host, as some proxies write it, is the same address", async () => {
  const ask = async (path: string, body?: object): Promise<number> => {
    const options = {
      method: body ? "POST" : "GET",
      path: `${service.baseUrl}${path}`,
      port: service.port,
    };
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    const asked = request({ ...options, headers });
    asked.end(body && JSON.stringify(body));
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    answer.resume();
    return answer.statusCode!;
  };
  expect(await ask("/v1/catalog")).toBe(200);
  expect(await ask("/mcp", { jsonrpc: "2.0", id: 1, method: "ping" })).toBe(200);
  expect(await ask("/mcp", { jsonrpc: "2.0", id: 1, method: "completion/none" })).toBeLessThan(500);
});
