import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { Agent, type IncomingMessage, type RequestOptions, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

/** One HTTP answer, read to its end. */
export interface Answer {
  status: number;
  headers: AnswerHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever came.
  body: any;
}

/** As `Headers` reads them, which loads and costs as much as `fetch`. */
export interface AnswerHeaders extends Iterable<[name: string, value: string]> {
  get(name: string): string | null;
  has(name: string): boolean;
}

export interface Send {
  method?: string;
  body?: unknown;
  /** Sent as it is, instead of JSON of `body`. */
  raw?: string | Uint8Array;
  key?: string | undefined;
  idempotencyKey?: string | null;
  headers?: Record<string, string>;
}

/** By node:http: `fetch` costs three times as much, and the suite sends ten thousands. */
const agent = new Agent({ keepAlive: true });

const UNPACKED_BY: Record<string, (bytes: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
};

/** Talks to a running service as a program would: plain HTTP, no redirects followed. */
export async function send(baseUrl: string, path: string, options: Send = {}): Promise<Answer> {
  const method = options.method ?? (options.body === undefined && !options.raw ? "GET" : "POST");
  const write = method === "POST" || method === "DELETE";
  const idempotencyKey =
    options.idempotencyKey === undefined ? randomUUID() : options.idempotencyKey;
  const headers = {
    accept: "*/*",
    ...(options.body !== undefined && { "content-type": "application/json" }),
    ...(options.key !== undefined && { authorization: `Bearer ${options.key}` }),
    ...(write && idempotencyKey !== null && { "idempotency-key": idempotencyKey }),
    ...options.headers,
  };
  const url = path.startsWith("http") ? path : baseUrl + path;
  const body =
    options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  const answer = await answerTo(url, { method, headers, agent }, body);
  const chunks: Buffer[] = [];
  answer.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(answer, "end");
  const bytes = Buffer.concat(chunks);
  const unpack = bytes.length > 0 && UNPACKED_BY[answer.headers["content-encoding"] ?? ""];
  const text = (unpack ? unpack(bytes) : bytes).toString();
  const isJson = /json/.test(answer.headers["content-type"] ?? "");
  const json = isJson && text ? JSON.parse(text) : undefined;
  const [template] = templatesIn(json);
  if (template) throw new Error(`${method} ${path} told a template: ${template}`);
  return { status: answer.statusCode!, headers: headersOf(answer), text, body: json };
}

/** It may yet be answered otherwise, under the same key. */
export const isTryAgain = ({ status, body }: Answer): boolean =>
  status >= 500 || body?.code === "IDEMPOTENCY_IN_FLIGHT";

/** As a client does it: what is not answered, or with "try again", is sent again under its key. */
export async function persist(ask: () => Promise<Answer>, timeoutMs: number): Promise<Answer> {
  for (const end = performance.now() + timeoutMs; ; await delay(50)) {
    const answer = await ask().catch(() => null);
    if (answer && !isTryAgain(answer)) return answer;
    if (performance.now() > end) throw new Error(`Still not: ${answer?.text ?? "no answer"}`);
  }
}

async function answerTo(
  url: string,
  options: RequestOptions,
  body: string | Uint8Array | undefined,
): Promise<IncomingMessage> {
  const asked = request(url, options);
  // Who answers before all of a body has come may end the connection: the answer counts.
  asked.on("error", () => {});
  asked.end(body);
  try {
    const [answer] = await once(asked, "response");
    return answer;
  } catch (error) {
    // One that was kept open may be ended just as it is used again: any client then opens another.
    if (!asked.reusedSocket) throw error;
    return answerTo(url, { ...options, agent: false }, body);
  }
}

const headersOf = ({ headersDistinct: all }: IncomingMessage): AnswerHeaders => ({
  get: (name) => all[name.toLowerCase()]?.join(", ") ?? null,
  has: (name) => name.toLowerCase() in all,
  *[Symbol.iterator]() {
    for (const [name, values = []] of Object.entries(all)) yield [name, values.join(", ")];
  },
});

export const ADDRESS = {
  name: "Test Buyer",
  line1: "1 Main Street",
  city: "Austin",
  region: "TX",
  postal_code: "78701",
  country: "US",
} as const;

/** A valid quote request: one bag of the $22 bean to one address, but for the change. */
export function quoteRequest(
  more: {
    email?: string;
    quantity?: number;
    product_id?: string;
    discount_code?: string;
    gift_notes?: string[];
    line1?: string;
    /** How many of them. */
    shipments?: number;
  } = {},
) {
  const { email = "buyer@example.com", quantity = 1, product_id = "kenya-nyeri" } = more;
  const shipment = {
    recipient_ref: "home",
    address: more.line1 === undefined ? ADDRESS : { ...ADDRESS, line1: more.line1 },
    items: [{ product_id, quantity }],
    ...(more.gift_notes && { gift_notes: more.gift_notes }),
  };
  return {
    buyer: { email },
    shipments: Array.from({ length: more.shipments ?? 1 }, () => shipment),
    ...(more.discount_code !== undefined && { discount_code: more.discount_code }),
  };
}

/** Registers and answers the key. */
export async function register(baseUrl: string): Promise<string> {
  const answer = await send(baseUrl, "/v1/agents/register", {
    body: { name: "Test agent", contact_email: "agent@example.com" },
  });
  return answer.body.api_key as string;
}

/** Pays a review link as a buyer without JavaScript does; answers where the shop's page is. */
export async function payAsBuyer(
  baseUrl: string,
  reviewUrl: string,
  card = "4242424242424242",
): Promise<{ hosted: string; after: Answer }> {
  const started = await send(baseUrl, reviewUrl, { method: "POST" });
  const hosted = started.headers.get("location") ?? "";
  const after = await send(baseUrl, `${hosted}/pay`, {
    method: "POST",
    raw: new URLSearchParams({ card }).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  return { hosted, after };
}

/** Often enough to lose no time, and seldom enough to leave the machine to what is waited for. */
const LOOK_MS = 10;

/** Far longer than anything takes: a busy machine is slow, not wrong. */
const LOOKING_MS = 20_000;

/** Looks again, briefly, until it is so: for what a webhook brings. Fails after a long while. */
export async function eventually<T>(look: () => Promise<T | undefined | false>): Promise<T> {
  const end = performance.now() + LOOKING_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error("it did not become so");
    await delay(LOOK_MS);
  }
}
/** What is told as a next step and cannot be done as it stands: a name in braces (contract §0). */
export function templatesIn(told: unknown): string[] {
  if (typeof told !== "object" || told === null) return [];
  return Object.entries(told).flatMap(([name, value]) => [
    ...(name === "next" && Array.isArray(value) ? value.flatMap(inStep) : []),
    ...templatesIn(value),
  ]);
}

const inStep = (step: unknown): string[] =>
  Object.values(step ?? {}).filter((text) => /\{\w*\}/.test(String(text)));
