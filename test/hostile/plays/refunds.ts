/** Money that goes back, and does not arrive. */
import { setTimeout as delay } from "node:timers/promises";
import { form } from "../../support/purchase.ts";
import { atMost, must, type Play } from "../play.ts";
import type { Stage } from "../stage.ts";
import { paidAt, ready } from "./buying.ts";

/** Stripe's test card whose refunds are made, and fail afterwards; half a minute in the sandbox. */
const REFUNDS_FAIL = "4000000000005126";
const WITHIN_MS = 90_000;

interface Paid {
  payment: { status: string; refunded_minor: number; amount_minor: number };
  refunds: { amount_minor: number; status: string }[];
}

const sumOf = ({ refunds }: Paid, status: string): number =>
  refunds.reduce((sum, one) => sum + (one.status === status ? one.amount_minor : 0), 0);

/** As soon as no refund stands as made, or when the time is over. */
async function untilFailed(show: () => Promise<Paid>): Promise<Paid> {
  const end = performance.now() + WITHIN_MS;
  for (;;) {
    const now = await show();
    const open = sumOf(now, "DONE") + sumOf(now, "PENDING");
    if (open === 0 || performance.now() > end) return now;
    await delay(2000);
  }
}

export const refundBooks: Play = {
  name: "H14 refunds",
  tried:
    "four refunds of $10 at once of a payment of $32; each is made, and fails at the bank later",
  async play(stage: Stage) {
    const buying = await ready(stage, { email: "refunds@example.com" });
    const pressed = await stage.ask(buying.address, buying.reviewUrl, form({}));
    const { id } = await paidAt(stage, buying, pressed, REFUNDS_FAIL);
    const show = (): Promise<Paid> => stage.merchant("orders", "show", id);
    const refund = () => stage.merchant("orders", "refund", id, "--amount", "10", "--now");
    const tries = await Promise.allSettled([refund(), refund(), refund(), refund()]);
    const done = tries.filter(({ status }) => status === "fulfilled").length;
    const made = await show();
    const most = sumOf(made, "DONE") + sumOf(made, "PENDING");
    const after = await untilFailed(show);
    const incidents = (await stage.merchant("incidents", "list")) as { kind: string }[];
    const told = incidents.filter(({ kind }) => kind === "REFUND_FAILED").length;
    const failed = after.refunds.filter(({ status }) => status === "FAILED").length;
    return {
      answered: `${done} of ${tries.length} taken, ${failed} failed, ${told} told`,
      held: `$${after.payment.refunded_minor / 100} refunded by the books`,
      bounds: [
        atMost("cents that could have gone back", most, after.payment.amount_minor),
        must("some were made", most > 0),
        atMost("cents that the books still call refunded", after.payment.refunded_minor, 0),
        must("the order's payment is paid, not refunded", after.payment.status === "PAID"),
        atMost("failures that the merchant was not told", failed - told, 0),
        must("they did fail", failed > 0),
      ],
    };
  },
};
