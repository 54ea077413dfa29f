import { type Random, random } from "./random.ts";

/** A buyer's behavior on the payment page. */
export type Buyer =
  | "card"
  | "declined_then_card"
  | "three_d_secure"
  | "bank_settles"
  | "bank_fails_then_card"
  | "only_declined"
  | "leaves"
  /** Asks for another quantity once the payment page is open, and pays one page or both. */
  | "changes_mind"
  /** Cancels on the payment page, then pays it all the same or starts again. */
  | "cancels"
  /** Comes back after the page has expired. */
  | "returns"
  | "comes_too_late";

export interface Purchase {
  number: number;
  agent: number;
  email: string;
  product_id: string;
  quantity: number;
  /** Number of addresses; each gets `quantity` bags. */
  shipments: number;
  /** The agent's request once it is paid. */
  asks: "nothing" | "cancel" | "cancel_part" | "cancel_and_withdraw";
  firstBag: boolean;
  buyer: Buyer;
  /** Number of people who press pay on the same link at once. */
  pressing: number;
}

/** Everything that is decided before a run. Faults decide the rest. */
export interface Plan {
  seed: number;
  agents: number;
  purchases: Purchase[];
  /** Kills of the service: after so many purchases and a pause in milliseconds. */
  kills: { after: number; pauseMs: number }[];
  /** Opening stock in bags, by bean. */
  opening: Record<string, number>;
  /** Bags of the waitlist bean arrive after so many purchases. */
  restock: { after: number; bags: number };
}

const PLENTY = "kenya-nyeri";
const SCARCE = "peru-cajamarca-decaf";
export const WAITED_FOR = "rwanda-huye";

export function planRun(seed: number, count: number): Plan {
  const fate = random(seed).fork("plan");
  const purchases = Array.from({ length: count }, (_, i) => planPurchase(random(seed), i, count));
  const bags = (bean: string) =>
    purchases
      .filter((p) => p.product_id === bean)
      .reduce((sum, p) => sum + p.quantity * p.shipments, 0);
  const kills = Math.min(12, Math.max(1, Math.round(count / 30)));
  return {
    seed,
    agents: Math.min(8, Math.max(2, Math.round(count / 10))),
    purchases,
    kills: Array.from({ length: kills }, (_, i) => ({
      after: Math.floor(((i + fate.next()) * count) / kills),
      pauseMs: fate.whole(0, 150),
    })),
    opening: {
      // Enough for all.
      [PLENTY]: Math.max(5000, 2 * bags(PLENTY)),
      // Too few for all.
      [SCARCE]: Math.ceil(bags(SCARCE) * 0.5),
      [WAITED_FOR]: Math.ceil(bags(WAITED_FOR) * 0.3),
      "yemen-haraz": 10,
    },
    restock: { after: Math.floor(count / 2), bags: Math.ceil(bags(WAITED_FOR) * 0.6) },
  };
}

function planPurchase(run: Random, number: number, count: number): Purchase {
  const fate = run.fork(`purchase ${number}`);
  const firstBag = fate.chance(0.35);
  const person = fate.whole(0, Math.max(1, Math.floor(count / 8)));
  return {
    number,
    agent: fate.whole(0, 1000),
    email: firstBag ? alias(fate, person) : `buyer-${number}@example.com`,
    product_id: fate.pick([
      [6, PLENTY],
      [2, SCARCE],
      [2, WAITED_FOR],
    ]),
    quantity: fate.whole(1, 4),
    firstBag,
    buyer: fate.pick<Buyer>([
      [10, "card"],
      [2, "declined_then_card"],
      [2, "three_d_secure"],
      [2, "bank_settles"],
      [2, "bank_fails_then_card"],
      [1, "only_declined"],
      [2, "leaves"],
      [3, "changes_mind"],
      [2, "cancels"],
      [2, "returns"],
      [1, "comes_too_late"],
    ]),
    pressing: fate.pick([
      [3, 1],
      [2, 2],
      [1, 4],
    ]),
    shipments: fate.pick([
      [3, 1],
      [1, 2],
    ]),
    asks: fate.pick<Purchase["asks"]>([
      [6, "nothing"],
      [1, "cancel"],
      [1, "cancel_part"],
      [1, "cancel_and_withdraw"],
    ]),
  };
}

/** Another spelling of a person's address: one customer for the courtesy (contract §2). */
function alias(fate: Random, person: number): string {
  const name = `first.bag.${person}`;
  return fate.pick([
    [1, `${name}@gmail.com`],
    [1, `${name.replaceAll(".", "")}@googlemail.com`.replace("googlemail", "gmail")],
    [1, `${name}+coffee${fate.whole(1, 99)}@gmail.com`],
    [1, `${name.toUpperCase()}@Gmail.com`],
  ]);
}
