import { isLive, type SessionRecord, sessionIdOf } from "../../src/payments/sandbox/session.ts";
import { type Emulator, startEmulator } from "../stripe/emulator.ts";
import {
  type ApiFault,
  type ApiFaultSwitch,
  type HttpFaults,
  newHttpFaults,
} from "../stripe/faults.ts";
import type { WebhookFault } from "../support/faults.ts";
import { type SandboxControl, sandboxControl } from "../support/sandbox-control.ts";
import type { Random } from "./random.ts";

export interface Trouble {
  api: number;
  refusals: number;
  lost: number;
  doubled: number;
  late: number;
}

export interface Provider {
  sandbox: Emulator;
  control: SandboxControl<HttpFaults>;
  trouble: Trouble;
  /** Ends all failures, disputes and pending refunds. */
  calm(): Promise<void>;
  /** Ids of its pages, even of those that the shop never heard of. */
  sessions(): Promise<{ open: string[]; all: string[] }>;
}

/** Starts a provider that outlives the shop and fails as the seed decides. */
export async function troubledProvider(
  fate: Random,
  options: { baseUrl: string; clock: () => number },
): Promise<Provider> {
  const trouble: Trouble = { api: 0, refusals: 0, lost: 0, doubled: 0, late: 0 };
  const interference = newHttpFaults({
    api: apiFaults(
      fate.fork("api"),
      trouble,
      paymentFaults(fate.fork("payments"), () => control),
    ),
    webhook: webhookFaults(fate.fork("webhooks"), trouble),
  });
  const sandbox = await startEmulator({
    interference,
    ...options,
    webhookUrl: `${options.baseUrl}/webhooks/stripe`,
    webhookSecret: "whsec_chaos",
    // The run settles debits itself.
    bankDebitDelayMs: 30 * 86_400_000,
  });
  const calm = async () => {
    interference.api = undefined;
    interference.webhook = undefined;
    interference.balanceMinor = undefined;
    interference.slowRefunds.clear();
    for (const id of (await sessions()).all) {
      while (await control.closeDispute(id, "lost"));
      await control.endPending(id);
    }
  };
  const sessions = async () => {
    const all: SessionRecord[] = [];
    for await (const s of sandbox.sessions.list(0)) all.push(s);
    const ids = (some: SessionRecord[]) => [...new Set(some.map(({ id }) => id))];
    return { open: ids(all.filter(isLive)), all: ids(all) };
  };
  const control = sandboxControl(sandbox, interference, options.clock);
  return { sandbox, control, trouble, calm, sessions };
}

/** A capture or release is refused, or somebody does either in the dashboard just before it. */
function paymentFaults(fate: Random, control: () => Provider["control"]): ApiFaultSwitch {
  return ({ path }) => {
    const [, payment] = /\/payment_intents\/(\w+)\/(?:capture|cancel)$/.exec(path) ?? [];
    if (payment === undefined) return null;
    const sessionId = sessionIdOf(payment);
    switch (
      fate.pick([
        [85, "nothing"],
        [7, "refused"],
        [4, "canceled"],
        [3, "captured"],
        [1, "captured in part"],
      ] as const)
    ) {
      case "refused":
        return { kind: "error", status: 402, code: "card_declined" };
      case "canceled":
        void control().cancelOutside(sessionId);
        return null;
      case "captured":
        void control().captureOutside(sessionId);
        return null;
      case "captured in part":
        void control().captureOutside(sessionId, 100);
        return null;
      default:
        return null;
    }
  };
}

function apiFaults(fate: Random, trouble: Trouble, ofPayment: ApiFaultSwitch): ApiFaultSwitch {
  return (request) => {
    const refused = ofPayment(request);
    if (refused) trouble.refusals++;
    if (refused) return refused;
    const fault = fate.pick<ApiFault | null>([
      [86, null],
      [2, { kind: "error", status: 500 }],
      [1, { kind: "error", status: 500, effect: true }],
      [2, { kind: "error", status: 503 }],
      [2, { kind: "error", status: 429 }],
      [2, { kind: "rubbish" }],
      [1, { kind: "rubbish", body: '"Bad Gateway"' }],
      [2, { kind: "timeout", ms: 700 }],
      [2, { kind: "timeout", ms: 700, effect: true }],
    ]);
    if (fault) trouble.api++;
    return fault;
  };
}

function webhookFaults(fate: Random, trouble: Trouble): WebhookFault {
  return () => {
    const kind = fate.pick([
      [50, "deliver"],
      [18, "drop"],
      [16, "double"],
      [16, "delay"],
    ] as const);
    if (kind === "drop") trouble.lost++;
    if (kind === "double") trouble.doubled++;
    if (kind === "delay") trouble.late++;
    return kind;
  };
}
