/** The whole service in a process that can be killed; its provider lives in the parent. */

import { readConfig } from "../../src/app/config.ts";
import { createLog } from "../../src/app/log.ts";
import { contents } from "../../src/app/registry.ts";
import { serve } from "../../src/app/serve.ts";
import { type Emulator, emulatorProvider } from "../stripe/emulator.ts";
import { merchantActs } from "./acts.ts";
import { random } from "./random.ts";

export interface ChildOptions {
  env: Record<string, string>;
  provider: Pick<Emulator, "endpoint" | "apiKey" | "webhookSecret">;
  /** Milliseconds by which the shop's clock is ahead of real time. */
  aheadMs: number;
}

export type ToChild =
  | { clock: number }
  | { ask: number; what: "run" | "first" | "sweep" }
  | { ask: number; what: "restock"; productId: string; bags: number }
  | { ask: number; what: "merchant"; fate: number };

export type FromChild = { ready: true } | { answer: number; value: number };

const options = JSON.parse(process.argv[2] ?? "") as ChildOptions;
const tell = (message: FromChild) => process.send?.(message);
let { aheadMs } = options;
const clock = () => Date.now() + aheadMs;

const served = await serve(readConfig(options.env), {
  log: createLog("silent"),
  clock,
  contents,
  version: "0.0.0-chaos",
  openPayments: async ({ baseUrl }) => ({
    provider: emulatorProvider(
      { ...options.provider, baseUrl, clock },
      { paymentMethods: ["card", "us_bank_account"], timeoutMs: 500, maxNetworkRetries: 1 },
    ),
    sandbox: null,
  }),
});

async function act(message: Exclude<ToChild, { clock: number }>): Promise<number> {
  const { merchant } = served.service;
  if (message.what === "merchant") {
    await merchantActs(merchant.admin("cli"), random(message.fate));
    return 1;
  }
  if (message.what !== "restock") return merchant.reconciler[message.what]();
  const { stock } = merchant.admin("cli");
  const row = (await stock.list()).find((one) => one.product_id === message.productId);
  await stock.set({ product_id: message.productId, on_hand: (row?.on_hand ?? 0) + message.bags });
  return message.bags;
}

process.on("message", (message: ToChild) => {
  if ("clock" in message) {
    aheadMs = message.clock;
    return;
  }
  act(message).then(
    (value) => tell({ answer: message.ask, value }),
    () => tell({ answer: message.ask, value: -1 }),
  );
});
process.once("SIGTERM", () => void served.stop().then(() => process.exit(0)));
process.once("disconnect", () => process.exit(1));
tell({ ready: true });
