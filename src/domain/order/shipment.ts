import { Item, type OutAddress, type Terms } from "../quote/quote-answer.ts";
import { sameFields } from "../shared/answer.ts";
import { iso } from "../shared/policy.ts";
import type { ShipmentRow } from "../shared/records.ts";
import type { Shipment } from "./order-answer.ts";

/** In the order's own order: a database returns rows in any. */
export const inOrder = (rows: readonly ShipmentRow[]): ShipmentRow[] =>
  rows.toSorted((a, b) => a.position - b.position);

/** Not handed to the carrier yet: it can be canceled, or sent to another address. */
export const isHere = ({ status }: Pick<ShipmentRow, "status">): boolean =>
  status === "PENDING" || status === "ROASTING";

/** Where a shipment goes: as it was approved, or as the merchant has changed it since. */
export const currentAddress = (
  row: Pick<ShipmentRow, "address">,
  approved: { address: OutAddress },
): OutAddress => (row.address === null ? approved.address : JSON.parse(row.address));

export function shipmentView(row: ShipmentRow, terms: Terms): Shipment {
  const approved = terms.shipments[row.position]!;
  return {
    id: row.id,
    recipient_ref: approved.recipient_ref,
    status: row.status,
    tracking: trackingOf(row),
    address: currentAddress(row, approved),
    items: itemsOf(approved),
    gift_notes: approved.gift_notes,
    shipped_at: row.shipped_at === null ? null : iso(row.shipped_at),
    delivered_at: row.delivered_at === null ? null : iso(row.delivered_at),
  };
}

export const trackingOf = (
  row: Pick<ShipmentRow, "carrier" | "tracking_number" | "tracking_url">,
): Shipment["tracking"] =>
  row.carrier === null || row.tracking_number === null
    ? null
    : { carrier: row.carrier, number: row.tracking_number, url: row.tracking_url };

/** Terms of earlier versions say more of each item. */
export const itemsOf = ({ items }: Terms["shipments"][number]): Item[] =>
  items.map((item) => sameFields(Item, item));

/** Which bag each gift note goes into: note i into bag i, counted through the lines (contract §3). */
export function notesByBag(
  notes: readonly string[],
  lines: readonly { name: string; quantity: number }[],
): { bag: number; name: string | undefined; note: string }[] {
  const names = lines.flatMap(({ name, quantity }) => Array.from({ length: quantity }, () => name));
  return notes.map((note, i) => ({ bag: i + 1, name: names[i], note }));
}
