import { randomUUID } from "node:crypto";
import { styleText } from "node:util";

/** A claim of the demo that is false. */
export class DemoFailed extends Error {
  override name = "DemoFailed";
}

export type Story = ReturnType<typeof createStory>;

/** Prints who does what, one short line each, and checks every claim. */
export function createStory(out: NodeJS.WriteStream) {
  // styleText checks the stream: no colors in files and pipes, none under NO_COLOR.
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    styleText(style, text, { stream: out });
  const line = (text: string) => out.write(`${text}\n`);
  let checks = 0;
  return {
    chapter: (who: string, what: string) => line(`\n${paint("bold", who)} ${paint("dim", what)}`),
    tell(text: string, ...details: string[]): void {
      line(`  ${paint("green", "✓")} ${text}`);
      for (const detail of details) line(`    ${paint("dim", detail)}`);
    },
    check(holds: boolean, claim: string, found?: unknown): void {
      checks += 1;
      if (holds) return;
      const seen = found === undefined ? "" : `\n  found: ${JSON.stringify(found)}`;
      throw new DemoFailed(`Expected that ${claim}.${seen}`);
    },
    get checks() {
      return checks;
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the demo reads responses untyped, as any client would.
export type AnyJson = any;

interface ApiCall {
  body?: object;
  key?: string;
  expect?: number;
  idempotencyKey?: string;
}

/** The demo's HTTP client. Any program can send the same requests from outside. */
export function createWeb(baseUrl: string, story: Story) {
  const send = (url: string, init?: RequestInit) => fetch(new URL(url, baseUrl), init);
  const json = (body: object, headers: Record<string, string>) => ({
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return {
    /** Sends a POST if there is a body, otherwise a GET. Fails the demo on an unexpected status. */
    async api(path: string, call: ApiCall = {}): Promise<AnyJson> {
      const { body, key, expect = body ? [200, 201] : 200 } = call;
      const { idempotencyKey = randomUUID() } = call;
      const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
      const response = await send(
        path,
        body ? json(body, { ...headers, "idempotency-key": idempotencyKey }) : { headers },
      );
      const answer: AnyJson = await response.json();
      story.check([expect].flat().includes(response.status), `${path} returns ${expect}`, answer);
      return answer;
    },
    /** One request over MCP, as the simplest client sends it. */
    async rpc(method: string, params: object = {}): Promise<AnyJson> {
      const headers = {
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2025-11-25",
      };
      const message = { jsonrpc: "2.0", id: 1, method, params };
      return ((await (await send("/mcp", json(message, headers))).json()) as AnyJson).result;
    },
    /** A page as a browser without JavaScript receives it. */
    async page(url: string): Promise<string> {
      const response = await send(url);
      story.check(response.ok, `${url} opens`, response.status);
      return response.text();
    },
    /** Submits a form. Returns the URL the browser goes to next. */
    async submit(url: string, fields: Record<string, string> = {}): Promise<string> {
      const body = new URLSearchParams(fields);
      const response = await send(url, { method: "POST", redirect: "manual", body });
      const next = response.headers.get("location");
      story.check(response.status === 303 && next !== null, "the form redirects", response.status);
      return new URL(next!, baseUrl).href;
    },
  };
}

export interface Scene {
  story: Story;
  web: ReturnType<typeof createWeb>;
}

export const ADDRESS = {
  name: "Test Buyer",
  line1: "1 Main Street",
  city: "Austin",
  region: "TX",
  postal_code: "78701",
  country: "US",
};

export const GOOD_CARD = "4242424242424242";
export const DECLINED_CARD = "4000000000000002";
