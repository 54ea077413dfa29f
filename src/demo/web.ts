import { randomUUID } from "node:crypto";
import type { Story } from "./story.ts";

// biome-ignore lint/suspicious/noExplicitAny: the demo reads answers as any client would, untyped.
export type AnyJson = any;

interface ApiCall {
  body?: object;
  key?: string;
  expect?: number;
  /** The same again for a retry. */
  intent?: string;
}

export type WebClient = ReturnType<typeof createWeb>;

/** The demo's own HTTP client: what it does, any program can do from outside. */
export function createWeb(baseUrl: string, story: Story) {
  const absolute = (path: string) => new URL(path, baseUrl).href;
  return {
    /** One call of the API; fails the demo unless the status is the expected one. */
    async api(
      method: "GET" | "POST",
      path: string,
      { body, key, expect, intent = randomUUID() }: ApiCall = {},
    ): Promise<AnyJson> {
      const response = await fetch(absolute(path), {
        method,
        headers: {
          ...(body && { "content-type": "application/json" }),
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
          ...(method !== "GET" && { "idempotency-key": intent }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const answer: AnyJson = await response.json();
      const right = expect === undefined ? response.ok : response.status === expect;
      story.check(right, `${method} ${path} answers ${expect ?? "2xx"}`, answer);
      return answer;
    },
    /** One request over MCP, as the simplest of clients sends it. */
    async rpc(method: string, params: AnyJson = {}): Promise<AnyJson> {
      const response = await fetch(absolute("/mcp"), {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": "2025-11-25",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      });
      return ((await response.json()) as AnyJson).result;
    },
    /** A page as a browser without JavaScript gets it. */
    async page(url: string): Promise<string> {
      const response = await fetch(absolute(url));
      story.check(response.ok, `the page at ${new URL(absolute(url)).pathname} opens`);
      return response.text();
    },
    /** A form sent from a page; answers where the service sends the browser next. */
    async form(url: string, fields: Record<string, string> = {}): Promise<string> {
      const response = await fetch(absolute(url), {
        method: "POST",
        redirect: "manual",
        body: new URLSearchParams(fields),
      });
      const next = response.headers.get("location");
      story.check(response.status === 303 && next !== null, "the form leads on", response.status);
      return absolute(next ?? "");
    },
  };
}
