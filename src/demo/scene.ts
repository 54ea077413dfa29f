import { randomUUID } from "node:crypto";
import { styleText } from "node:util";

/** A claim of the demo that did not hold. */
export class DemoFailed extends Error {
  override name = "DemoFailed";
}

export type Story = ReturnType<typeof createStory>;

/** What the demo shows: who does what, one short line each, and a check behind every claim. */
export function createStory(out: NodeJS.WriteStream) {
  // styleText asks the stream itself: no colours in files and pipes, none under NO_COLOR.
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    styleText(style, text, { stream: out });
  const line = (text: string) => out.write(`${text}\n`);
  let checks = 0;
  return {
    chapter: (who: string, what: string) => line(`\n${paint("bold", who)} ${paint("dim", what)}`),
    /** One thing that happened, and details below it. */
    tell(text: string, ...details: string[]): void {
      line(`  ${paint("green", "✓")} ${text}`);
      for (const detail of details) line(`    ${paint("dim", detail)}`);
    },
    /** Fails the demo, naming the claim, where it does not hold. */
    check(holds: boolean, claim: string, found?: unknown): void {
      checks += 1;
      if (holds) return;
      const seen = found === undefined ? "" : `\n  found: ${JSON.stringify(found)}`;
      throw new DemoFailed(`${claim}: it was not so.${seen}`);
    },
    get checks() {
      return checks;
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the demo reads answers as any client would, untyped.
export type AnyJson = any;

interface ApiCall {
  body?: object;
  key?: string;
  expect?: number;
  /** The same again for a retry. */
  intent?: string;
}

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

/** What every part of the demo is played with. */
export interface Scene {
  story: Story;
  web: ReturnType<typeof createWeb>;
}
