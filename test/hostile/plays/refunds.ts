import { atMost, must, type Play, times } from "../play.ts";
import { bought } from "./buying.ts";

interface Paid {
  payment: { amount_minor: number };
  refunds: { amount_minor: number; status: string }[];
}

/** Each is a process of its own. The bank's refusals are tested with a clock that moves. */
const atOnce: Play = {
  name: "H14 refunds",
  tried: "four refunds of $10 at once of a payment of $32",
  short: true,
  async play(stage) {
    const { order } = await bought(stage, { email: "refunds@example.com" });
    const refund = () => stage.merchant("orders", "refund", order.id, "--amount", "10", "--again");
    const tries = await Promise.allSettled(times(4, refund));
    const taken = tries.filter(({ status }) => status === "fulfilled").length;
    const { payment, refunds }: Paid = await stage.merchant("orders", "show", order.id);
    const cents = refunds.reduce((sum, { amount_minor }) => sum + amount_minor, 0);
    return {
      answered: `${taken} of ${tries.length} taken`,
      held: `$${cents / 100} to go back`,
      bounds: [
        atMost("cents that go back", cents, payment.amount_minor),
        must("three are taken", taken === 3 && refunds.length === 3),
      ],
    };
  },
};

const repeated: Play = {
  name: "R2 repeated refund",
  tried: "the same refund of $10 three times, as after a lost answer, then meant",
  short: true,
  async play(stage) {
    const { id } = (await bought(stage, { email: "repeated@example.com" })).order;
    const refund = (...more: string[]) =>
      stage.merchant("orders", "refund", id, "--amount", "10", ...more);
    const tries = await Promise.allSettled([refund(), refund(), refund()]);
    const taken = tries.filter(({ status }) => status === "fulfilled").length;
    await refund("--again");
    const { refunds }: Paid = await stage.merchant("orders", "show", id);
    return {
      answered: `${taken} of ${tries.length} taken, and one more with --again`,
      bounds: [must("only what was meant is sent", taken === 1 && refunds.length === 2)],
    };
  },
};

export const refunds = [atOnce, repeated];
