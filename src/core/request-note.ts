import { AsyncLocalStorage } from "node:async_hooks";

/**
 * What one call was about, for the log. Ids and names of our own only: never a secret, an email or an
 * address. Ids of UCP sessions are secrets, because they open the buyer's page.
 */
export interface CallNote {
  operation?: string;
  /** Code of the refusal, if it was refused. */
  code?: string;
  agent?: string;
  quote?: string;
  order?: string;
}

/** What one request was about: itself, and the calls that it carried. */
export interface RequestNote extends CallNote {
  request_id: string;
  calls: CallNote[];
  /** Method of a JSON-RPC message. */
  rpc?: string;
  /** Id of the provider's event. */
  webhook?: string;
}

const running = new AsyncLocalStorage<RequestNote>();

/** Runs everything that belongs to a request, also what follows its answer. */
export const withNote = <T>(note: RequestNote, run: () => T): T => running.run(note, run);

export const currentNote = (): RequestNote | undefined => running.getStore();

/** Adds to the note of the current request, if there is one. */
export function note(facts: Partial<Omit<RequestNote, "request_id" | "calls">>): void {
  const current = currentNote();
  if (current) Object.assign(current, facts);
}

/** The first refusal of a request names it. */
export function noteRefusal(code: string): void {
  const current = currentNote();
  if (current) current.code ??= code;
}

const QUOTE = /^qte_\w{1,64}$/;
const ORDER = /^ord_\w{1,64}$/;

const firstId = (values: readonly unknown[], form: RegExp): string | undefined =>
  values.find((one): one is string => typeof one === "string" && form.test(one));

/** The ids of the quote and the order in a call's input or answer. */
export function idsIn(value: unknown): Pick<CallNote, "quote" | "order"> {
  const { id, quote_id, order_id, order } = (value ?? {}) as Record<string, unknown>;
  const inside = (order ?? {}) as { id?: unknown };
  const quote = firstId([quote_id, id], QUOTE);
  const found = firstId([order_id, id, inside.id], ORDER);
  return { ...(quote !== undefined && { quote }), ...(found !== undefined && { order: found }) };
}
