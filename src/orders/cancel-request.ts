import { z } from "zod";
import { sameFields } from "../core/answer.ts";
import { insert, type Rule, type State, update } from "../core/command.ts";
import { illegalStep, MerchantError } from "../core/errors.ts";
import { line, list, prose } from "../core/fields.ts";
import type { OrderId } from "../core/ids.ts";
import { invalid, printable } from "../core/input-problems.ts";
import { step } from "../core/next-step.ts";
import { iso, isoOrNull, LIMITS } from "../core/policy.ts";
import {
  type Asker,
  type CancelRequestRow,
  newRow,
  type OrderStatus,
  oldestFirst,
  type ShipmentRow,
} from "../core/records.ts";
import { noSecrets } from "../core/secrets.ts";
import { type CancelAnswer, CancelRequest } from "./order-answer.ts";
import { cancelRequestReads, logOrder, type OrderAct, orderOf } from "./order-steps.ts";
import { inOrder, isHere } from "./standing.ts";

/** A request to cancel an order or some of its shipments. The merchant decides (contract §5). */
export const CancelWish = z.strictObject({
  reason_code: z.enum([
    "CHANGED_MIND",
    "WRONG_ITEM",
    "WRONG_ADDRESS",
    "DUPLICATE",
    "DELIVERY_TIME",
    "OTHER",
  ]),
  message: prose("The message", LIMITS.cancel_message_characters, noSecrets)
    .optional()
    .describe("In the buyer's words. No secrets."),
  shipment_ids: list(line("The shipment", LIMITS.name_characters), {
    empty: "Name at least one shipment, or send null for the whole order.",
    most: LIMITS.shipments_per_order,
    of: "shipments",
  })
    .optional()
    .describe(
      "Only these, by id or recipient_ref, each as a whole; for single bags send feedback. Left out: the whole order.",
    ),
});

export type CancelWish = z.infer<typeof CancelWish>;

const policyNote = (one: boolean): string =>
  `This is a request. The merchant decides, and until then the order continues. If accepted, ${
    one ? "the shipment" : "every shipment"
  } in shipment_ids is canceled, and nothing else. No refund is promised. Read the merchant's decision in ` +
  "the order and its events.";

interface RequestCancellation extends Omit<OrderAct, "by"> {
  id: string;
  askedBy: Asker;
  wish: CancelWish;
  /** Each shipment's recipient_ref, by its id. */
  refs: ReadonlyMap<string, string>;
}

export const requestCancellation: Rule<RequestCancellation, CancelAnswer> = {
  reads: cancelRequestReads,
  decide(c, s) {
    const order = orderOf(s);
    refuseWish(s);
    const targets = wanted(c, s);
    refuseLeft(targets, c, s);
    const request = newRow("cancel_requests", {
      id: c.id,
      order_id: order.id,
      shipment_ids: JSON.stringify(targets.map(({ id }) => id)),
      asked_by: c.askedBy,
      reason_code: c.wish.reason_code,
      message: c.wish.message ?? null,
      status: "REQUESTED",
      // The newest request counts, even if the clock was set back.
      created_at: Math.max(c.now, ...s.cancel_requests.map((row) => row.created_at + 1)),
    });
    const received = { type: "cancel_request.received", data: requestData(request) } as const;
    return {
      reply: cancelAnswer(request, c.refs),
      writes: [insert("cancel_requests", request), ...logOrder(order, s.shipments, [received], c)],
    };
  },
};

/** The request as it is now, with what follows. `refs`: each shipment's recipient_ref, by its id. */
export function cancelAnswer(
  row: CancelRequestRow,
  refs: ReadonlyMap<string, string>,
): CancelAnswer {
  const view = cancelRequestView(row);
  const open = row.status === "REQUESTED";
  return {
    ...view,
    recipient_refs: view.shipment_ids.flatMap((id) => refs.get(id) ?? []),
    policy_note:
      row.status === "REQUESTED" ? policyNote(view.shipment_ids.length === 1) : DECIDED[row.status],
    next: open
      ? [
          step("list_order_events", "The merchant's decision is an event.", row.order_id),
          step("withdraw_cancellation", "Withdraw it before the merchant decides.", row.order_id),
        ]
      : [readOrder(row.order_id)],
  };
}

const DECIDED = {
  ACCEPTED: "The merchant has canceled these shipments.",
  DECLINED: "The merchant declined; the order continues.",
  WITHDRAWN: "The request is withdrawn, and the order continues.",
} as const;

const OVER: Partial<Record<OrderStatus, string>> = {
  SHIPPED: "all shipments have left, and coffee on its way cannot be called back",
  COMPLETED: "nothing is left to cancel",
  CANCELED: "it is canceled already",
};

/** The merchant may still refund coffee that can no longer be canceled. */
const tellMerchant = step(
  "send_feedback",
  "Tell the merchant what the buyer wants, with order_id.",
);

const readOrder = (orderId: OrderId) => step("get_order", "Read the order as it is now.", orderId);

/** Refuses a second open request, too many requests, and orders with nothing left to cancel. */
function refuseWish(s: State): void {
  const { id, status } = orderOf(s);
  const open = s.cancel_requests.find((row) => row.status === "REQUESTED");
  const over = OVER[status];
  if (over !== undefined) {
    const tell = status === "CANCELED" ? [] : [tellMerchant];
    throw illegalStep(`This order is ${status}: ${over}.`, ...tell, readOrder(id));
  }
  if (open) throw stillOpen(open);
  const most = LIMITS.cancel_requests_per_order;
  if (s.cancel_requests.length >= most) {
    const detail = `This order has reached its limit of ${most} cancellation requests. Write to the merchant.`;
    throw illegalStep(detail, tellMerchant, readOrder(id));
  }
}

const stillOpen = (open: CancelRequestRow): MerchantError =>
  new MerchantError(
    "CANCEL_REQUEST_OPEN",
    `Cancel request ${open.id} is open for this order${
      open.asked_by === "BUYER" ? ", asked by the buyer on the order's page" : ""
    }. Wait for the merchant's decision, or withdraw it first.`,
    {
      problems: [{ pointer: "/order_id", code: "CANCEL_REQUEST_OPEN", detail: open.id }],
      next: [
        step("list_order_events", "The merchant's decision is an event.", open.order_id),
        step("withdraw_cancellation", "Withdraw it to ask for something else.", open.order_id),
      ],
    },
  );

type WithRefs = Pick<RequestCancellation, "refs">;

/** "home (shp_…)": the agent's own name of a shipment, with its id. */
const called = (id: string, { refs }: WithRefs): string => {
  const ref = refs.get(id);
  return ref === undefined ? id : `${printable(ref)} (${id})`;
};

/** Shipments to cancel, sorted by position. */
function wanted(c: Pick<RequestCancellation, "refs" | "wish">, s: State): ShipmentRow[] {
  const { shipment_ids } = c.wish;
  const all = inOrder(s.shipments);
  if (shipment_ids === undefined) return all.filter(({ status }) => status !== "CANCELED");
  const named = shipment_ids.map((name) => {
    const byId = all.filter(({ id }) => id === name);
    return byId.length > 0 ? byId : all.filter(({ id }) => c.refs.get(id) === name);
  });
  const has = `It has: ${all.map(({ id }) => called(id, c)).join(", ")}.`;
  const problems = named.flatMap((rows, i) => {
    if (rows.length === 1) return [];
    const detail =
      rows.length > 1
        ? `${rows.length} shipments have this recipient_ref. Send the id of one. ${has}`
        : `No shipment of this order. ${has}`;
    return [{ pointer: `/shipment_ids/${i}`, code: "UNKNOWN_SHIPMENT", detail }];
  });
  if (problems.length > 0) {
    throw invalid({ problems, next: [tellMerchant], again: "request_cancellation" });
  }
  const targets = named.flat();
  return all.filter((row) => targets.includes(row));
}

/** Refuses shipments that have left, and names those that can still be canceled. */
function refuseLeft(targets: readonly ShipmentRow[], c: WithRefs, s: State): void {
  const { id: orderId } = orderOf(s);
  const gone = targets.filter((row) => !isHere(row));
  if (gone.length === 0) return;
  const others = s.shipments.filter(isHere);
  const can =
    others.length > 0
      ? `These can still be canceled: name them in shipment_ids: ${others.map(({ id }) => called(id, c)).join(", ")}.`
      : "Nothing of this order can be canceled any more.";
  const left = gone.map(({ id, status }) => `${called(id, c)} is ${status}`).join(", ");
  throw illegalStep(
    `${left}. ${can}`,
    others.length > 0 ? step("request_cancellation", "Ask for those.", orderId) : tellMerchant,
    readOrder(orderId),
  );
}

interface WithdrawCancellation extends Omit<OrderAct, "by">, WithRefs {
  withdrawnBy: Asker;
  /** The request that a page showed; by default the newest. */
  requestId?: string;
}

/**
 * Withdraws an undecided request. Agent and buyer can withdraw each other's. A second call returns the same
 * response.
 */
export const withdrawCancellation: Rule<WithdrawCancellation, CancelAnswer> = {
  reads: cancelRequestReads,
  decide(c, s) {
    const order = orderOf(s);
    const request = s.cancel_requests
      .filter(({ id }) => c.requestId === undefined || c.requestId === id)
      .toSorted(oldestFirst)
      .at(-1);
    // Also remembered as an answer, so that a late retry does not withdraw a newer request.
    if (request?.status === "WITHDRAWN")
      return { reply: cancelAnswer(request, c.refs), writes: [] };
    if (request?.status !== "REQUESTED") throw nothingToWithdraw(order.id, request);
    const withdrawn = { status: "WITHDRAWN", decided_at: c.now } as const;
    const data = { ...requestData(request), withdrawn_by: c.withdrawnBy };
    const happened = { type: "cancel_request.withdrawn", data } as const;
    return {
      reply: cancelAnswer({ ...request, ...withdrawn }, c.refs),
      writes: [
        update("cancel_requests", { id: request.id }, withdrawn),
        ...logOrder(order, s.shipments, [happened], c),
      ],
    };
  },
};

function nothingToWithdraw(orderId: OrderId, request: CancelRequestRow | undefined) {
  const detail =
    request === undefined
      ? "This order has no cancel request."
      : `Cancel request ${request.id} is ${request.status} and cannot be withdrawn any more.`;
  return illegalStep(detail, readOrder(orderId));
}

const requestedIds = (row: Pick<CancelRequestRow, "shipment_ids">): string[] =>
  JSON.parse(row.shipment_ids);

export const cancelRequestView = (row: CancelRequestRow): CancelRequest => ({
  ...sameFields(CancelRequest, row),
  shipment_ids: requestedIds(row),
  created_at: iso(row.created_at),
  decided_at: isoOrNull(row.decided_at),
});

/** Event data about a request. */
export const requestData = (row: CancelRequestRow) => ({
  cancel_request_id: row.id,
  asked_by: row.asked_by,
  reason_code: row.reason_code,
  shipment_ids: requestedIds(row),
});

/** The shipments that a request is about. */
export function requestedShipments<S extends Pick<ShipmentRow, "id">>(
  request: Pick<CancelRequestRow, "shipment_ids">,
  shipments: readonly S[],
): S[] {
  const ids = requestedIds(request);
  return shipments.filter(({ id }) => ids.includes(id));
}
