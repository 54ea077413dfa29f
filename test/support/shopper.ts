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

/** Headers by name. The built-in `Headers` would load and cost as much as `fetch`. */
export interface AnswerHeaders extends Iterable<[name: string, value: string]> {
  get(name: string): string | null;
  has(name: string): boolean;
}

export interface Send {
  method?: string;
  body?: unknown;
  /** Sent unchanged instead of `body` as JSON. */
  raw?: string | Uint8Array;
  key?: string | undefined;
  idempotencyKey?: string | null;
  headers?: Record<string, string>;
}

/** `fetch` costs three times as much, and the suite sends tens of thousands of requests. */
const agent = new Agent({ keepAlive: true });

const UNPACKED_BY: Record<string, (bytes: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
};

/** Sends one request and returns its answer. It does not follow redirects. */
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

/** Whether a retry under the same key may get another answer. */
export const isTryAgain = ({ status, body }: Answer): boolean =>
  status >= 500 || body?.code === "IDEMPOTENCY_IN_FLIGHT";

/** Retries under the same key, like a client, until there is a final answer. */
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
  // A server that answers before the whole body came may close the connection: the answer counts.
  asked.on("error", () => {});
  asked.end(body);
  try {
    const [answer] = await once(asked, "response");
    return answer;
  } catch (error) {
    // A kept connection may end just as it is used again; clients then open another.
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

/** A valid quote request; by default one bag of the $22 bean to one address. */
export function quoteRequest(
  more: {
    email?: string;
    quantity?: number;
    product_id?: string;
    discount_code?: string;
    gift_notes?: string[];
    line1?: string;
    /** Number of equal shipments. */
    shipments?: number;
    /** One shipment each, with what differs from the others. */
    parcels?: { name?: string; line1?: string; line2?: string; quantity?: number; note?: string }[];
  } = {},
) {
  const { email = "buyer@example.com", quantity = 1, product_id = "kenya-nyeri" } = more;
  const shipment = {
    recipient_ref: "home",
    address: more.line1 === undefined ? ADDRESS : { ...ADDRESS, line1: more.line1 },
    items: [{ product_id, quantity }],
    ...(more.gift_notes && { gift_notes: more.gift_notes }),
  };
  const parcels = more.parcels?.map(({ quantity: own = quantity, note, ...to }, i) => ({
    ...{ ...shipment, recipient_ref: `parcel ${i + 1}`, address: { ...ADDRESS, ...to } },
    items: [{ product_id, quantity: own }],
    ...(note && { gift_notes: [note] }),
  }));
  return {
    buyer: { email },
    shipments: parcels ?? Array.from({ length: more.shipments ?? 1 }, () => shipment),
    ...(more.discount_code !== undefined && { discount_code: more.discount_code }),
  };
}

/** Registers and returns the key. */
export async function register(baseUrl: string): Promise<string> {
  const answer = await send(baseUrl, "/v1/agents/register", {
    body: { name: "Test agent", contact_email: "agent@example.com" },
  });
  return answer.body.api_key as string;
}

/** Test cards: one pays, the bank declines the other. */
export const VISA = "4242424242424242";
export const DECLINED = "4000000000000002";

/** Pays on a hosted page. */
export const payAt = (hosted: string, card = VISA, baseUrl = ""): Promise<Answer> =>
  send(baseUrl, `${hosted}/pay`, {
    method: "POST",
    raw: new URLSearchParams({ card }).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });

/** Pays a review link like a buyer without JavaScript. */
export async function payAsBuyer(
  baseUrl: string,
  reviewUrl: string,
  card = VISA,
): Promise<{ hosted: string; session: string; after: Answer }> {
  const started = await send(baseUrl, reviewUrl, { method: "POST" });
  const hosted = started.headers.get("location") ?? "";
  const after = await payAt(hosted, card, baseUrl);
  return { hosted, session: hosted.split("/").at(-1) ?? "", after };
}

/** Pause between two looks: short, but it leaves the machine to the work. */
const LOOK_MS = 10;

/** Longer than anything takes on a busy machine. */
const LOOKING_MS = 20_000;

/** Looks until it finds something, for what webhooks bring. Fails after 20 seconds. */
export async function eventually<T>(look: () => Promise<T | undefined | false>): Promise<T> {
  const end = performance.now() + LOOKING_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error("Nothing was found in time.");
    await delay(LOOK_MS);
  }
}
/** Templates in next steps: names in braces, which nobody can call (contract §0). */
function templatesIn(told: unknown): string[] {
  if (typeof told !== "object" || told === null) return [];
  return Object.entries(told).flatMap(([name, value]) => [
    ...(name === "next" && Array.isArray(value) ? value.flatMap(inStep) : []),
    ...templatesIn(value),
  ]);
}

const inStep = (step: unknown): string[] =>
  Object.values(step ?? {}).filter((text) => /\{\w*\}/.test(String(text)));
