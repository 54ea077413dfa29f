import { MerchantError } from "../core/errors.ts";
import { LIMITS } from "../core/policy.ts";
import type { CallerGone } from "../web/http-request.ts";

/** The client, as its transport knows it (contract §13): one per request over HTTP, one per stdio connection. */
export interface Caller {
  /** The key that the connection carries, if any. */
  readonly apiKey: string | undefined;
  /** Handling of the argument `api_key`. Only connections without a key advertise it. */
  readonly keyArgument: "shown" | "accepted" | "refused";
  /** Vocabulary of `next` and errors. */
  readonly naming: "tools" | "shop";
  /** For limits, and for registration's idempotency scope. */
  readonly address: string;
  /** A new id for each request, for the log and errors. */
  requestId(): string;
  /** Instructions for errors about a missing key. */
  readonly howToKey: string;
  /** The same for requests without arguments, such as resources/read. */
  readonly howToOwnKey: string;
  /** Set over HTTP, where a call also ends when the service stops. */
  gone?: CallerGone;
  /** Set while the request is a batch. */
  batch?: BatchRoom;
  /** Receives a key registered through this connection. Stdio keeps it. */
  registered?(apiKey: string): Promise<void>;
}

/** Characters that a batch's results have so far. */
export interface BatchRoom {
  taken: number;
}

/** Makes the text of a tool or resource with its body, unless earlier results of its batch have filled the response. */
export function textWithin(
  { batch }: Pick<Caller, "batch">,
  name: string,
  make: () => string,
  body?: object,
): string {
  if (!batch) return make();
  if (batch.taken >= LIMITS.mcp_batch_text) {
    throw new MerchantError(
      "PAYLOAD_TOO_LARGE",
      `The results of this batch have reached ${LIMITS.mcp_batch_text} characters.`,
      { next: [{ action: name, why: "Send this one by itself." }] },
    );
  }
  const text = make();
  batch.taken += text.length + (body ? JSON.stringify(body).length : 0);
  return text;
}

const CONFIGURE = "configure this connection's header Authorization: Bearer <API_KEY>";

const REGISTER =
  "Call register_agent: its key is used for the rest of this connection. Or start with MERCHANT_API_KEY.";

/** One request over HTTP, with its Authorization header if it has one. */
export const httpCaller = (
  apiKey: string | undefined,
  address: string,
  requestId: string,
): Caller => ({
  apiKey,
  keyArgument: apiKey === undefined ? "shown" : "refused",
  naming: "tools",
  address,
  requestId: () => requestId,
  howToKey: `Send it as the api_key argument, or ${CONFIGURE}.`,
  howToOwnKey: `To read it by its address, ${CONFIGURE}.`,
});

/** One request to /mcp/shop, which takes no key. */
export const shopCaller = (address: string, requestId: string): Caller => ({
  ...httpCaller(undefined, address, requestId),
  keyArgument: "refused",
  naming: "shop",
});

/**
 * One connection on stdio. MERCHANT_API_KEY is the key, or what the connection registers. A stale
 * tools/list may still show api_key after that, so it stays accepted.
 */
export function stdioCaller(
  configured: string | undefined,
  newRequestId: () => string,
  works: (apiKey: string) => Promise<unknown>,
): Caller {
  let apiKey = configured;
  return {
    get apiKey() {
      return apiKey;
    },
    get keyArgument() {
      if (configured !== undefined) return "refused";
      return apiKey === undefined ? "shown" : "accepted";
    },
    naming: "tools",
    address: "stdio",
    requestId: newRequestId,
    howToKey: REGISTER,
    howToOwnKey: REGISTER,
    async registered(fresh) {
      const refused = apiKey === undefined || (await isRefused(works(apiKey)).catch(() => false));
      if (refused) apiKey = fresh;
    },
  };
}

/** Resolves to true for a refused key. Rejects if the database fails. */
export const isRefused = (authenticated: Promise<unknown>): Promise<boolean> =>
  authenticated.then(
    () => false,
    (error: unknown) => {
      if (error instanceof MerchantError && error.status === 401) return true;
      throw error;
    },
  );
