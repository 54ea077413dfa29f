import { z } from "zod";
import { adminVerb } from "../core/admin-verb.ts";
import { LIMITS } from "../core/policy.ts";
import type { adminViews } from "./admin-views.ts";
import { csvLine } from "./csv.ts";
import { exportable, LABEL_COLUMNS, matchNumbers, readNumbers, toLabel } from "./labels.ts";

const most = LIMITS.desk_form_bytes;
/** A table, with its tabs and line breaks. */
const Pasted = z.string().max(most, { abort: true, error: `Paste at most ${most} characters.` });

/** The way to a label tool and back. Read-only: numbers are saved by `shipments.ship`. */
export function labelVerbs({ inTurn }: Pick<ReturnType<typeof adminViews>, "inTurn">) {
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

    /** Matches a label tool's file, two columns or a plain column with the waiting shipments. */
    match: adminVerb({ text: Pasted }, async ({ text }) =>
      matchNumbers(readNumbers(text), toLabel(await waiting())),
    ),
  };
}
