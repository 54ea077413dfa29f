import { randomUUID } from "node:crypto";
import type { Story } from "./story.ts";

// biome-ignore lint/suspicious/noExplicitAny: the demo reads answers as any client would, untyped.
export type AnyJson = any;

/** The demo's own HTTP client: what it does, any program can do from outside. */
export interface WebClient {
  /** One call of the API; fails the demo unless the status is the expected one. */
  api(
    method: "GET" | "POST" | "DELETE",
    path: string,
    options?: { body?: object; key?: string; retryOf?: string; expect?: number },
  ): Promise<{ body: AnyJson; headers: Headers; sentWith: string }>;
  /** A page as a browser without JavaScript gets it. */
  page(url: string): Promise<string>;
  /** A form sent from a page; answers where the service sends the browser next. */
  form(url: string, fields?: Record<string, string>): Promise<string>;
}

export function createWeb(baseUrl: string, story: Story): WebClient {
  const absolute = (path: string) => new URL(path, baseUrl).href;
  return {
    async api(method, path, { body, key, retryOf, expect } = {}) {
      const sentWith = retryOf ?? randomUUID();
      const response = await fetch(absolute(path), {
        method,
        headers: {
          ...(body && { "content-type": "application/json" }),
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
          ...(method !== "GET" && { "idempotency-key": sentWith }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const answer = (await response.json()) as AnyJson;
      const right = expect === undefined ? response.ok : response.status === expect;
      story.check(right, `${method} ${path} answers ${expect ?? "2xx"}`, answer);
      return { body: answer, headers: response.headers, sentWith };
    },
    async page(url) {
      const response = await fetch(absolute(url));
      story.check(response.ok, `the page at ${new URL(absolute(url)).pathname} opens`);
      return response.text();
    },
    async form(url, fields = {}) {
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
