import type { Letter, Mailer } from "../../src/core/letter.ts";
import type { RefundRow } from "../../src/core/records.ts";
import { sessionIdOf } from "../../src/payments/sandbox/session.ts";
import { newAgent, type OrderSettings, openShop, paidOrder, type Shop } from "../support/shop.ts";
import { type OpenStore, openUsual } from "../support/stores.ts";

export const OWNER = "owner@example.com";
export const BUYER = "buyer@example.com";

/** A mail server that records letters. */
export function postbox(shop: Shop) {
  const sent: Letter[] = [];
  const mailer: Mailer = { send: async (letter) => void sent.push(letter), close: () => {} };
  const send = (server = mailer) => shop.merchant.mail.sendDue(server);
  /** Sends what is due and returns the letters to one reader, by default to buyers. */
  const told = async (reader?: string) => {
    await send();
    return sent.splice(0).filter(({ to }) => (reader ? to === reader : to !== OWNER));
  };
  return { mailer, sent, send, told };
}

/** A shop with an agent and a mail server. */
export async function mailShop(
  settings: Parameters<typeof openShop>[2] = {},
  open: OpenStore = openUsual,
) {
  const { store, other } = await open();
  const shop = await openShop(store, undefined, { merchantEmail: OWNER, ...settings });
  return { shop, other, agentId: await newAgent(shop), ...postbox(shop) };
}

/** The same shop with a paid order whose receipt was sent. */
export async function mailedOrder(wanted: Partial<OrderSettings> = {}) {
  const mailed = await mailShop();
  const { shop, agentId, told } = mailed;
  const orderId = await paidOrder(shop, { agentId, ...wanted });
  await told();
  const { shipments } = await shop.admin.orders.show({ order_id: orderId });
  return { ...mailed, orderId, ids: shipments.map(({ id }) => id) };
}

/** The provider reports that a refund failed. */
export async function failRefund(shop: Shop, refund: RefundRow): Promise<void> {
  const sessionId = sessionIdOf(refund.payment_ref);
  const session = (await shop.sandbox.sessions.read(sessionId))!;
  const refunds = session.refunds.map((one) =>
    one.metadata.refund_id === refund.id
      ? { ...one, status: "failed" as const, reason: "lost_or_stolen_card" }
      : one,
  );
  await shop.control.alter(sessionId, { refunds });
  await shop.merchant.settlements.settleSession(sessionId);
}
