import { sameFields } from "../core/answer.ts";
import { iso, isoOrNull } from "../core/policy.ts";
import type { Asker, CancelRequestRow, ShipmentRow } from "../core/records.ts";
import { CancelRequest } from "./order-answer.ts";

export const askedBy = ({ asked_by }: Pick<CancelRequestRow, "asked_by">): Asker =>
  asked_by ?? "AGENT";

/** Null of a request of earlier versions, which is about the whole order. */
const requestedIds = (row: Pick<CancelRequestRow, "shipment_ids">): string[] | null =>
  row.shipment_ids === null ? null : JSON.parse(row.shipment_ids);

/** `all`: the shipments of its order, for requests of earlier versions, which are about all of them. */
export const cancelRequestView = (
  row: CancelRequestRow,
  all: readonly Pick<ShipmentRow, "id">[] = [],
): CancelRequest => ({
  ...sameFields(CancelRequest, row),
  shipment_ids: requestedIds(row) ?? all.map(({ id }) => id),
  asked_by: askedBy(row),
  created_at: iso(row.created_at),
  decided_at: isoOrNull(row.decided_at),
});

/** What the log tells of a request. */
export const requestData = (row: CancelRequestRow) => ({
  cancel_request_id: row.id,
  asked_by: askedBy(row),
  reason_code: row.reason_code,
  shipment_ids: requestedIds(row) ?? undefined,
});

/** The shipments that a request is about. */
export function requestedShipments(
  request: Pick<CancelRequestRow, "shipment_ids">,
  shipments: readonly ShipmentRow[],
): ShipmentRow[] {
  const ids = requestedIds(request);
  return shipments.filter(({ id }) => ids?.includes(id) ?? true);
}
