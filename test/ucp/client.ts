import { form, newEmail } from "../support/purchase.ts";
import type { TestService } from "../support/service.ts";
import { ADDRESS, type Answer, eventually, payAsBuyer, send } from "../support/shopper.ts";

export const PROFILE = "https://agent.example/profile";

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever came.
type Any = any;

interface Ask {
  method?: string;
  body?: unknown;
  idempotencyKey?: string | null;
  profile?: string;
}

/** A client of the service that runs when it asks. */
export function ucpClient(service: () => TestService, endpoint = "/ucp") {
  const rest = (path: string, { idempotencyKey = null, profile = PROFILE, ...ask }: Ask = {}) =>
    send(service().baseUrl, `${endpoint}${path}`, {
      ...{ ...ask, idempotencyKey },
      headers: {
        "ucp-agent": `profile="${profile}"`,
        ...(idempotencyKey !== null && { "idempotency-key": idempotencyKey }),
      },
    });
  const rpc = (method: string, params?: object): Promise<Answer> =>
    send(service().baseUrl, `${endpoint}/mcp`, {
      body: { jsonrpc: "2.0", id: 7, method, params },
      headers: { accept: "application/json" },
      idempotencyKey: null,
    });
  /** Content of a tool's answer, or its error. */
  async function call(name: string, own: object, idempotencyKey?: string | number): Promise<Any> {
    const meta = {
      "ucp-agent": { profile: PROFILE },
      ...(idempotencyKey && { "idempotency-key": idempotencyKey }),
    };
    const { body } = await rpc("tools/call", { name, arguments: { meta, ...own } });
    return body.result?.structuredContent ?? body.error;
  }
  /** Fills in the form of a link like a buyer, and pays in the sandbox. */
  async function pay(link: string, card?: string) {
    const email = newEmail();
    const sent = await send(service().baseUrl, link, form({ email, ...ADDRESS }));
    const paid = await payAsBuyer(service().baseUrl, sent.headers.get("location")!, card);
    return { email, ...paid };
  }
  const becomes = (id: string, status: string): Promise<Any> =>
    eventually(async () => {
      const { body } = await rest(`/checkout-sessions/${id}`);
      return body.status === status && body;
    });
  return { rest, rpc, call, pay, becomes };
}

export const codes = ({ messages }: { messages: { code: string }[] }): string[] =>
  messages.map(({ code }) => code);
