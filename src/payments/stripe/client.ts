/** How we talk to Stripe: patience, retries, and what counts as an answer. */
import Stripe from "stripe";
import type { PaymentMode } from "../provider.ts";
import type { Meter, MeterShare } from "./meter.ts";

/** A buyer's click waits for this, so not the library's 80 s. */
const TIMEOUT_MS = 10_000;
const RETRIES = 2;

export interface StripeOptions {
  secretKey: string;
  /** Newest first; every one of them is accepted. */
  webhookSecrets: readonly string[];
  mode: PaymentMode;
  name?: "stripe" | "sandbox";
  /** Where it is, where that is not Stripe's own. */
  endpoint?: Pick<Stripe.StripeConfig, "host" | "port" | "protocol">;
  /** Stripe's names; see PAYMENT_METHODS. */
  paymentMethods?: readonly string[] | undefined;
  /** Custom checkout domains; for the sandbox the only origins there are. */
  extraCheckoutOrigins?: readonly string[];
  timeoutMs?: number;
  maxNetworkRetries?: number;
  clock?: () => number;
}

type HttpClient = ReturnType<typeof Stripe.createNodeHttpClient>;

/** "/v1/checkout/sessions/cs_…/expire" → "checkout": the kind of object that a limit is about. */
const kindOf = (path: string): string => path.split("?", 1)[0]?.split("/")[2] ?? "";

/** Counted call by call, so that retries and further pages of a list count as well. */
function httpClient(metering: { meter: Meter; share: MeterShare } | undefined): HttpClient {
  const inner = Stripe.createNodeHttpClient();
  return {
    getClientName: () => inner.getClientName(),
    makeRequest: async (...request) => {
      await metering?.meter.take(metering.share, kindOf(request[2]));
      const response = await inner.makeRequest(...request);
      // A broken proxy may answer with JSON that is no object ("Bad Gateway" in quotes is enough). The
      // library then throws where it cannot be caught and the call never ends; here it becomes an
      // ordinary failure.
      const toJSON = response.toJSON.bind(response);
      response.toJSON = async () => {
        const answer: unknown = await toJSON();
        if (typeof answer === "object" && answer !== null && !Array.isArray(answer)) return answer;
        throw new TypeError("The answer is JSON, but not an object.");
      };
      return response;
    },
  };
}

export function stripeClient(
  options: StripeOptions,
  metering?: { meter: Meter; share: MeterShare },
): Stripe {
  return new Stripe(options.secretKey, {
    timeout: options.timeoutMs ?? TIMEOUT_MS,
    maxNetworkRetries: options.maxNetworkRetries ?? RETRIES,
    telemetry: false,
    httpClient: httpClient(metering),
    appInfo: { name: "coffee-merchant" },
    ...options.endpoint,
  });
}
