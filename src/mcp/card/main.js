import { connect, dress, notify, request, tellSize } from "./host.js";
import { canAskToCancel, cancelable, canTakeBack, orderCard } from "./order.js";
import { quoteCard, unpayable } from "./quote.js";
import { addressBlock, button, el, money } from "./words.js";

/** @typedef {import("./host.js").ToolResult} ToolResult */

const stage = /** @type {HTMLElement} */ (document.getElementById("card"));
/** Capabilities of the host. @type {import("./host.js").Welcome["hostCapabilities"]} */
let can = {};
/** The key of the shown call, used only for the card's own calls. */
/** @type {{ api_key?: string }} */
let key = {};

/** @param {HTMLElement} card */
const show = (card) => stage.replaceChildren(card);
/** @param {string} text */
const say = (text) => stage.append(el("p.message", text));

/**
 * @param {string} name
 * @param {object} args
 * @returns {Promise<any>} the structured content; throws the text of an error
 */
async function call(name, args) {
  const answer = await request("tools/call", { name, arguments: { ...args, ...key } });
  if (answer.isError) throw new Error(spoken(answer));
  return answer.structuredContent;
}

/** @param {ToolResult} result */
const spoken = ({ content = [] }) =>
  content.find(({ text }) => text)?.text ?? "Something went wrong.";

/** Tells the model about the buyer's act, without waiting for the host. */
const tellModel = (/** @type {string} */ text) =>
  void request("ui/update-model-context", { content: [{ type: "text", text }] }).catch(() => {});

/** @param {string} url */
async function open(url) {
  const opened = await request("ui/open-link", { url }).catch(() => ({ isError: true }));
  // The buyer can copy the link if the host doesn't open it.
  if (opened?.isError) stage.append(el("p.address-out", url));
}

/**
 * @param {string} id
 * @param {number} totalMinor
 * @param {() => Promise<string>} reviewUrl
 */
function payPart(id, totalMinor, reviewUrl) {
  const pay = button(
    `Review and pay ${money(totalMinor)}`,
    async () => {
      try {
        await open(await reviewUrl());
        tellModel(`The buyer opened the review link of quote ${id} from the card.`);
        if (can.serverTools && !stage.contains(paid)) pay.after(paid);
      } catch {
        say("We couldn't make the link just now. Ask for it in the chat.");
      }
    },
    "button.pay",
  );
  const paid = button("I have paid: show my order", async () => {
    try {
      const order = await call("get_quote_order", { quote_id: id });
      if (!order.shipments) throw new Error(order.message);
      showOrder(order);
    } catch {
      say("The payment hasn't arrived yet. Try again in a moment.");
    }
  });
  return pay;
}

function showQuote(quote) {
  const { id, quote_hash, terms, checkout } = quote;
  const link = checkout?.review_url;
  const made = async () => {
    const idempotency_key = `card-${id}`;
    return (await call("create_checkout", { quote_id: id, quote_hash, idempotency_key }))
      .review_url;
  };
  const why = unpayable(quote);
  const noWay = "Ask in the chat for the link to pay.";
  const pay =
    link || can.serverTools
      ? payPart(id, terms.pricing.total_minor, async () => link ?? made())
      : el("p.message", noWay);
  show(quoteCard(quote, why ? el("p.message", why) : pay));
}

/** Shows the link, then the quote if the host allows calls. */
async function showCheckout(checkout) {
  const { quote_id, review_url, total_minor } = checkout;
  const pay = payPart(quote_id, total_minor, async () => review_url);
  show(el("article", el("h1", "Your coffee order"), pay));
  if (!can.serverTools) return;
  const quote = await call("get_quote", { quote_id }).catch(() => null);
  if (quote) showQuote({ ...quote, checkout: { review_url } });
}

function showOrder(order) {
  const again = async () => showOrder(await call("get_order", { order_id: order.id }));
  show(
    orderCard(order, {
      open,
      cancel: can.serverTools ? cancelPart(order, again) : null,
      again: can.serverTools ? button("Refresh", again, "button.quiet") : null,
    }),
  );
}

/** @param {() => Promise<void>} again */
function cancelPart(order, again) {
  if (canTakeBack(order)) return button("Take it back", () => wish("withdraw", order, again));
  return canAskToCancel(order)
    ? button("Ask to cancel", async () => confirmCancel(order, again))
    : null;
}

/**
 * Asks again, because one tap may be a slip.
 * @param {() => Promise<void>} again
 */
function confirmCancel(order, again) {
  const shipments = cancelable(order);
  const boxes = shipments.length > 1 ? shipments.map(choice) : [];
  const chosen = () => shipments.filter((_, i) => boxes[i]?.checked ?? true);
  const asked = shipments.length < order.shipments.length ? "what has not left yet" : "this order";
  const question = el(
    "section.question",
    el("p", `Ask the shop to cancel ${asked}? The shop decides and may not refund it.`),
    ...boxes.map((box, i) => el("label.choice", box, addressBlock(shipments[i].address))),
    button("Yes, ask the shop", async () => {
      if (chosen().length > 0) await wish("request", order, again, chosen());
    }),
    button("No, keep it", async () => question.remove(), "button.quiet"),
  );
  if (!stage.querySelector(".question")) stage.append(question);
}

function choice() {
  const box = document.createElement("input");
  box.type = "checkbox";
  box.checked = true;
  return box;
}

/**
 * @param {"request" | "withdraw"} what
 * @param {any} order
 * @param {() => Promise<void>} again
 * @param {any[]} [shipments]
 */
async function wish(what, { id, cancel_request }, again, shipments = []) {
  const shipment_ids = shipments.map((shipment) => shipment.id);
  const asked = what === "request" ? { reason_code: "CHANGED_MIND", shipment_ids } : {};
  // A request after a withdrawn one is a new intent.
  const idempotency_key = `card-${what}-${cancel_request?.id ?? id}`;
  try {
    await call(`${what}_cancellation`, { order_id: id, ...asked, idempotency_key });
    const did =
      what === "request"
        ? `asked the shop to cancel ${shipment_ids.join(" and ")} of`
        : "took back the request to cancel";
    tellModel(`The buyer ${did} order ${id} from the card.`);
    await again();
  } catch {
    say("That didn't work just now. Ask for it in the chat.");
  }
}

/** @param {ToolResult} result */
async function showResult(result) {
  const body = result.structuredContent;
  if (result.isError || !body) show(el("article", el("p.message", spoken(result))));
  else if (body.terms) showQuote(body);
  else if (body.review_url) await showCheckout(body);
  else if (body.shipments) showOrder(body);
  else if (body.order_id && can.serverTools) {
    showOrder(await call("get_order", { order_id: body.order_id }));
  } else show(el("article", el("p.message", body.policy_note ?? spoken(result))));
}

/** @type {Record<string, (params: any) => void>} */
const HEARD = {
  "ui/notifications/tool-input": ({ arguments: args }) => {
    key = typeof args?.api_key === "string" ? { api_key: args.api_key } : {};
  },
  "ui/notifications/tool-result": (result) => void ready.then(() => showResult(result)),
  "ui/notifications/tool-cancelled": () => show(el("article", el("p.message", "Stopped."))),
  "ui/notifications/host-context-changed": dress,
};

const ready = connect((method, params) => HEARD[method]?.(params)).then((welcome) => {
  can = welcome.hostCapabilities ?? {};
  dress(welcome.hostContext);
  tellSize();
});
ready.catch((error) => notify("notifications/message", { level: "error", data: String(error) }));
