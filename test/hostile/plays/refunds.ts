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
    const refund = () => stage.merchant("orders", "refund", order.id, "--amount", "10");
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

const heldThenNow: Play = {
  name: "R2 refund --now",
  tried: "a refund of $10 that waits to be sent, then the same with --now; the same for all of it",
  short: true,
  async play(stage) {
    const show = async (id: string): Promise<Paid> => stage.merchant("orders", "show", id);
    const [part, whole] = [
      (await bought(stage, { email: "now-part@example.com" })).order.id,
      (await bought(stage, { email: "now-all@example.com" })).order.id,
    ];
    for (const more of [[], ["--now"]]) {
      await stage.merchant("orders", "refund", part, "--amount", "10", ...more);
      await stage.merchant("orders", "refund", whole, ...more);
    }
    const refunds = [...(await show(part)).refunds, ...(await show(whole)).refunds];
    return {
      answered: refunds.map(({ amount_minor, status }) => `${amount_minor} ${status}`).join(", "),
      bounds: [
        must("one of each is recorded", refunds.length === 2),
        must(
          "both are sent",
          refunds.every(({ status }) => status === "DONE"),
        ),
      ],
    };
  },
};

export const refunds = [atOnce, heldThenNow];
