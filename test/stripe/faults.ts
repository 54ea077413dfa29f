/** Failures between the shop and the emulator, switched while it runs. */
import { type IncomingMessage, type RequestListener, ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import { deliverAs, type RefundFaults, refundFate, type WebhookFault } from "../support/faults.ts";
import type { Interference } from "./emulator.ts";
import { ApiError } from "./params.ts";

export interface HttpFaults extends Interference, RefundFaults {
  webhook?: WebhookFault | undefined;
  api?: ApiFaultSwitch | undefined;
  /** Permissions that the key lacks, by Stripe's names: "rak_charge_write", … */
  lacks?: readonly string[] | undefined;
}

/**
 * `effect`: the request is carried out although its answer is lost. After a timeout of `ms` the connection is
 * closed. A 500 is repeated for its idempotency key, as at Stripe.
 */
export type ApiFault =
  | { kind: "error"; status: number; code?: string; effect?: boolean }
  | { kind: "timeout"; ms: number; effect?: boolean }
  | { kind: "rubbish"; body?: string };

export type ApiFaultSwitch = (request: { method: string; path: string }) => ApiFault | null;

/**
 * Fails the next `times` calls of a kind: "capture", "cancel", "expire", "refunds" or "sessions", the last word
 * of a path, or "read" for the reading of a session.
 */
export function failing(kind: string, fault: ApiFault, times = 1): ApiFaultSwitch {
  let left = times;
  return ({ method, path }) => {
    const name = method === "GET" && path.includes("/sessions/") ? "read" : path.split("/").at(-1);
    return name === kind && left-- > 0 ? fault : null;
  };
}

/** The `interference` to start the emulator with; tests write failures into it. */
export function newHttpFaults(begin: Partial<HttpFaults> = {}): HttpFaults {
  const faults: HttpFaults = { slowRefunds: new Set(), refusedCaptures: new Set(), ...begin };
  faults.around = faultyAnswers(faults);
  faults.fetch = faultyWebhooks(faults);
  faults.refund = (s, amountMinor) => {
    const fate = refundFate(faults, s, amountMinor);
    return typeof fate === "string" ? new ApiError(400, REFUSALS[fate], fate) : fate;
  };
  return faults;
}

const REFUSALS = {
  balance_insufficient: "Insufficient funds in your Stripe balance to refund this amount.",
  charge_disputed: "The charge you're attempting to refund has been charged back.",
};

const CAPTURE_REFUSED = new ApiError(
  402,
  "The bank refused the capture.",
  "card_declined",
  "card_error",
);

const FAILED = new ApiError(500, "An unknown error occurred.");

/** Mistakes in the parameters: Stripe does not store these answers under the idempotency key. */
const NOT_STORED = /"message":"Invalid |"type":"idempotency_error"/;

interface StoredRefusal {
  status: number;
  body: string;
}

function faultyAnswers(faults: HttpFaults) {
  /** Idempotency keys, each with the refusal or failure to repeat, if any. */
  const answered = new Map<unknown, StoredRefusal | null>();
  return (listener: RequestListener): RequestListener =>
    async (request, response) => {
      const { method = "", url = "", headers } = request;
      const path = url.split("?", 1)[0] ?? "/";
      const key = headers["idempotency-key"];
      const fault = faults.api?.({ method, path }) ?? null;
      const failing = fault?.kind === "error" && fault.status === 500;
      const permission = permissionFor(method, path);
      if (fault?.kind === "error" && !failing) {
        const code = fault.code ?? (fault.status === 429 ? "rate_limit" : undefined);
        refuse(response, new ApiError(fault.status, "A failure on request.", code));
      } else if (fault?.kind === "rubbish") {
        response.writeHead(200, { "content-type": "text/html" });
        response.end(fault.body ?? "<html>502 Bad Gateway</html>");
      } else if (fault?.kind === "timeout") {
        if (fault.effect) await carriedOut(listener, request);
        const ended = new AbortController();
        response.once("close", () => ended.abort());
        await setTimeout(fault.ms, undefined, ended).catch(() => {});
        response.destroy();
      } else if (faults.lacks?.includes(permission)) {
        refuse(response, forbidden(permission));
      } else if (faults.refusedCaptures.has(capturedBy(path))) {
        refuse(response, CAPTURE_REFUSED);
      } else if (answered.get(key)) {
        const { status, body } = answered.get(key)!;
        const type = "application/json";
        response.writeHead(status, { "content-type": type, "idempotent-replayed": "true" });
        response.end(body);
      } else if (failing && !answered.has(key)) {
        if (key !== undefined) answered.set(key, { status: 500, body: FAILED.body });
        if (fault.effect) await carriedOut(listener, request);
        refuse(response, FAILED);
      } else {
        if (key !== undefined) {
          answered.set(key, null);
          onRefusal(response, (refusal) => answered.set(key, refusal));
        }
        listener(request, response);
      }
    };
}

/** Stores a refusal of the sandbox, which decides anew; Stripe repeats it word for word. */
function onRefusal(response: ServerResponse, store: (refusal: StoredRefusal) => void): void {
  const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
  response.end = (...args: unknown[]) => {
    const body = String(args[0]);
    const { statusCode: status } = response;
    if (status >= 400 && status < 500 && !NOT_STORED.test(body)) store({ status, body });
    return end(...args);
  };
}

function refuse(response: ServerResponse, error: ApiError): void {
  response.writeHead(error.status, { "content-type": "application/json" });
  response.end(error.body);
}

/** Carries out the request without sending its answer. */
const carriedOut = (listener: RequestListener, request: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    const unsent = new ServerResponse(request);
    unsent.end = () => {
      resolve();
      return unsent;
    };
    listener(request, unsent as Parameters<RequestListener>[1]);
  });

/** The payment that a call captures; empty for other calls. */
const capturedBy = (path: string): string => /\/(pi_\w+)\/capture$/.exec(path)?.[1] ?? "";

/** Objects of Stripe's permissions, by the first part of a path. */
const PERMISSIONS: Record<string, string> = {
  checkout: "checkout_session",
  coupons: "coupon",
  refunds: "charge",
  payment_intents: "payment_intent",
  disputes: "dispute",
};

const permissionFor = (method: string, path: string): string =>
  `rak_${PERMISSIONS[path.split("/")[2] ?? ""]}_${method === "GET" ? "read" : "write"}`;

const forbidden = (permission: string): ApiError =>
  new ApiError(
    403,
    "The provided key 'rk_test_*********' does not have the required permissions for this endpoint on " +
      `account 'acct_sandbox'. Having the '${permission}' permission would allow this request to ` +
      "continue.",
  );

function faultyWebhooks(faults: HttpFaults): typeof fetch {
  return async (url, init) => {
    const { id, type } = JSON.parse(String(init?.body)) as { id: string; type: string };
    const answers = await deliverAs(faults.webhook?.({ id, type }) ?? "deliver", () =>
      fetch(url, init),
    );
    return answers.find(({ ok }) => !ok) ?? answers[0] ?? new Response();
  };
}
