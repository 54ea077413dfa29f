/** Without HTTP: the verb, which is the rule and its transaction, or the operation as HTTP calls it. */
export type InProcess = "verb" | "operation";

/** What is measured. All of them answer the same request, one after another in every round. */
export interface Variant {
  name: string;
  label: string;
  kind: "service" | "express" | InProcess;
  /** Commands that may share one durable commit. */
  batch?: number;
  /** What a slower disk adds to every commit, in milliseconds; 0 is this machine's own disk. */
  fsyncMs: number;
}

const disk = (ms: number): string => (ms === 0 ? "this disk" : `+${ms} ms per fsync`);

/** Group commit and its opposite on each disk, with an upper bound on either side. */
export function variants(fsyncs: readonly number[]): Variant[] {
  const pairs = fsyncs.flatMap((fsyncMs): Variant[] => [
    {
      name: `group-${fsyncMs}`,
      label: `group commit, ${disk(fsyncMs)}`,
      kind: "service",
      fsyncMs,
    },
    {
      name: `single-${fsyncMs}`,
      label: `one transaction each, ${disk(fsyncMs)}`,
      kind: "service",
      batch: 1,
      fsyncMs,
    },
  ]);
  return [
    ...pairs,
    { name: "express", label: "bare Express JSON route", kind: "express", fsyncMs: 0 },
    { name: "operation", label: "the operation, in process", kind: "operation", fsyncMs: 0 },
    { name: "verb", label: "its verb, in process", kind: "verb", fsyncMs: 0 },
  ];
}

/** A usual quote: two beans to one address, a gift note. `[<id>]` is new in every request. */
export const REQUEST = {
  buyer: { email: "buyer-[<id>]@example.com" },
  shipments: [
    {
      recipient_ref: "home",
      address: {
        name: "Bench Buyer",
        line1: "1 Main Street",
        city: "Austin",
        region: "TX",
        postal_code: "78701",
        country: "US" as const,
      },
      items: [
        { product_id: "colombia-huila", quantity: 2 },
        { product_id: "mexico-chiapas-decaf", quantity: 1 },
      ],
      gift_notes: ["Happy birthday!"],
    },
  ],
};
