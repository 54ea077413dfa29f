import { z } from "zod";
import { addressKey } from "../core/address.ts";
import { adminVerb } from "../core/admin-verb.ts";
import { trackingKey, whole } from "../core/fields.ts";
import type { ShipmentId } from "../core/ids.ts";
import { LIMITS } from "../core/policy.ts";
import type { Context } from "../payments/provider.ts";
import type { adminViews } from "./admin-views.ts";
import { csvLine } from "./csv.ts";
import {
  exportable,
  LABEL_COLUMNS,
  matchNumbers,
  readNumbers,
  toLabel,
  withRefs,
} from "./labels.ts";
import type { orderVerbs } from "./order-verbs.ts";
import { doubtAbout } from "./tracking.ts";

type Orders = Pick<ReturnType<typeof orderVerbs>, "viewsForPeople">;

const most = LIMITS.desk_form_bytes;
/** A table, with its tabs and line breaks. */
const Pasted = z
  .string()
  .max(most, { abort: true, error: `Paste at most ${most} characters.` })
  .min(1, "Paste the numbers, or choose the file.");

const Column = whole({ least: 1, most, of: "columns" });

/** The way to a label tool and back. Read-only: numbers are saved by `shipments.ship`. */
export function labelVerbs(
  context: Context,
  orders: Orders,
  { inTurn }: Pick<ReturnType<typeof adminViews>, "inTurn">,
) {
  const waiting = async () => (await inTurn({ view: "ship" })).orders;
  return {
    /** A file for a label tool. */
    csv: adminVerb({}, async () => {
      const cells = Object.values(LABEL_COLUMNS);
      const rows = exportable(await waiting()).map((row) =>
        csvLine(cells.map((cell) => cell(row))),
      );
      return [csvLine(Object.keys(LABEL_COLUMNS)), ...rows].join("");
    }),

    /**
     * Matches a label tool's file, two columns or a plain column with the waiting shipments. `columns` is null,
     * or the columns among which the merchant must choose the one with the order numbers.
     */
    match: adminVerb({ text: Pasted, column: Column.optional() }, async ({ text, column }) => {
      const rows = toLabel(await waiting());
      const { lines, columns } = readNumbers(text, rows, column);
      const { matched, unmatched } = matchNumbers(lines, rows);
      const noticed = matched.map(async (row) => {
        const doubt = doubtAbout(row.number, await alsoOn(context, orders, row));
        if (!doubt) return row;
        return { ...row, notice: `${doubt.words.charAt(0).toUpperCase()}${doubt.words.slice(1)}.` };
      });
      return { matched: await Promise.all(noticed), unmatched, columns };
    }),
  };
}

/** Shipments that are named for a number, newest first. */
const MOST_NAMED = 3;

/**
 * References of shipments to other addresses that have this number. Shipments to one address may travel in
 * one parcel. Texts such as "by hand" are no number.
 */
export async function alsoOn(
  { store: { queries } }: Pick<Context, "store">,
  { viewsForPeople }: Orders,
  { shipment_id, number }: { shipment_id: ShipmentId; number: string },
): Promise<string[]> {
  const same = /\d/.test(number) ? await queries.shipmentsTracked(number, MOST_NAMED) : [];
  if (same.length === 0) return [];
  const own = (await queries.shipment(shipment_id))!;
  if (own.tracking_key === trackingKey(number)) return [];
  const ids = [own, ...same].map(({ order_id }) => order_id);
  const shown = withRefs(await viewsForPeople(await queries.ordersByIds([...new Set(ids)])));
  const found = (wanted: ShipmentId) => shown.find(({ shipment }) => shipment.id === wanted)!;
  const placeOf = (id: ShipmentId) => addressKey(found(id).shipment.address);
  const others = same.filter(({ id }) => placeOf(id) !== placeOf(shipment_id));
  return others.map(({ id }) => `#${found(id).ref}`);
}
