import type { Merchant } from "../../merchant/merchant.ts";
import { shopMoment } from "../pages/format.ts";
import { disclosure } from "./forms.ts";
import { theirs, theirWords } from "./frame.ts";
import { listPage, newestFirst } from "./list.ts";
import type { DeskRoute } from "./route.ts";

type DeskLetter = Awaited<ReturnType<Merchant["mail"]["list"]>>[number];

export const mail: DeskRoute = {
  place: "mail",
  async show({ req, merchant }) {
    const { list, sending } = merchant.mail;
    return listPage(await newestFirst(req, list), {
      lede: sending
        ? "Letters to buyers and to you, newest first."
        : "No mail server is set up (SMTP_URL), so nothing is sent. This is what would have gone out.",
      caption: "Letters, newest first",
      empty: "No letters yet.",
      columns: [
        { name: "Letter", cell: (row) => row.letter?.subject ?? row.kind },
        { name: "To", cell: (row) => (row.letter ? theirs(row.letter.to) : "no recipient") },
        { name: "When", cell: (row) => shopMoment(row.created_at) },
        { name: "State", cell: (row) => state(row, sending) },
        {
          name: "Text",
          cell: (row) => row.letter && disclosure("Read", theirWords(row.letter.text)),
        },
      ],
    });
  },
};

function state(row: DeskLetter, sending: boolean): string {
  if (row.sent_at) return `Sent ${shopMoment(row.sent_at)}`;
  if (row.try_at === null) return `Not sent. ${row.error ?? ""}`;
  if (row.error) return `Will be tried again ${shopMoment(row.try_at)}: ${row.error}`;
  return sending ? "Waiting to be sent" : "Would have been sent";
}
