import { AsyncLocalStorage } from "node:async_hooks";

/** Costs of what a command writes. */
export interface Written {
  bytes: number;
  /** Letters that cost their sender nothing. */
  messages: number;
}

/** Takes a cost from whoever caused it. Throws RATE_LIMITED, unless the command must not be refused. */
export type Payer = (written: Written, isForced: boolean) => void;

const paying = new AsyncLocalStorage<Payer>();

/** Every command that this runs is paid by that caller, whichever tables it writes. */
export const paidBy = <T>(payer: Payer, run: () => T): T => paying.run(payer, run);

/** Undefined for background jobs, webhooks and the command line. */
export const currentPayer = (): Payer | undefined => paying.getStore();
