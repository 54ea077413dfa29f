/** Connections (lines) without a complete request. */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { asking, atMost, count, inTurn, must, type Play, times } from "../play.ts";
import { type Stage, stranger } from "../stage.ts";

/** Opens connections that never close their own half. */
const open = (port: number, number: number, bytes: string): Promise<Socket[]> =>
  Promise.all(
    times(number, async () => {
      const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
      socket.on("error", () => {});
      socket.on("data", () => {});
      await once(socket, "connect");
      if (bytes) socket.write(bytes);
      return socket;
    }),
  );

const BEGINNINGS = [
  "",
  "GET /v1/catalog HTTP/1.1\r\nHost: shop\r\nX: ",
  "POST /mcp HTTP/1.1\r\nHost: shop\r\nContent-Length: 100\r\n\r\n{",
  "hello\r\n\r\n",
];

/** The kernel's states: established, and closed by the other side alone. */
const HELD = new Set(["01", "08"]);

/** Connections that the service still has by the kernel's word; our own end may not know. */
async function held({ port }: Stage): Promise<number> {
  const files = ["/proc/net/tcp", "/proc/net/tcp6"].map((file) =>
    readFile(file, "utf8").catch(() => ""),
  );
  const rows = (await Promise.all(files)).join("\n").split("\n");
  const end = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const fields = rows.map((row) => row.trim().split(/\s+/));
  return fields.filter(([, at, , state]) => at?.endsWith(end) && HELD.has(state ?? "")).length;
}

/** Counts until so few are held or the time is over. */
async function untilFew(stage: Stage, few: number, withinMs: number): Promise<number> {
  const end = performance.now() + withinMs;
  let lines = await held(stage);
  while (lines > few && performance.now() < end) {
    await delay(100);
    lines = await held(stage);
  }
  return lines;
}

/** Opens these lines and waits until at most `most` are left. */
const lines = (
  { most, withinMs, ...play }: Omit<Play, "play"> & { most: number; withinMs: number },
  opened: (port: number) => Promise<Socket[]>,
): Play => ({
  ...play,
  async play(stage) {
    const all = await opened(stage.port);
    const began = performance.now();
    const left = await untilFew(stage, most, withinMs);
    const seconds = Math.round((performance.now() - began) / 1000);
    for (const socket of all) socket.destroy();
    return {
      answered: `${all.length} lines opened`,
      held: `${left} lines after ${seconds} s`,
      bounds: [atMost("lines that are held", left, most)],
    };
  },
});

const many = lines(
  {
    name: "H9 many",
    tried: "400 lines of one address where 100 are the most there may be",
    short: true,
    env: { MAX_CONNECTIONS: "100", TRUST_PROXY: "0" },
    ...{ most: 25, withinMs: 10_000 },
  },
  (port) => open(port, 400, ""),
);

const stubborn = lines(
  {
    name: "H9 lines",
    tried:
      "150 lines each that are silent, stop in a header or a body, or are no HTTP; none closes",
    // The neighbor has some. Headers have 15 s, bodies 30 s, and the answer a second (contract §14).
    ...{ most: 10, withinMs: 34_000 },
  },
  async (port) => (await Promise.all(BEGINNINGS.map((bytes) => open(port, 150, bytes)))).flat(),
);

const request = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: shop\r\n\r\n`;

/** Sends as many requests at once on one connection, again and again. */
const pipelined: Play = {
  name: "R1 pipelining",
  tried: "100 connections in turn with 5,000 requests each for /, the catalog and a document",
  short: true,
  env: { TRUST_PROXY: "0" },
  async play({ port }) {
    let bytes = 0;
    for (const i of times(100, (n) => n)) {
      const path = ["/", "/v1/catalog", "/openapi.json"][i % 3]!;
      const [socket] = await open(port, 1, request(path).repeat(5000));
      socket!.on("data", (part) => {
        bytes += part.length;
      });
      await new Promise((resolve) => socket!.once("close", resolve));
    }
    return { answered: `${bytes} bytes`, bounds: [atMost("bytes", bytes, 1_000_000)] };
  },
};

const flood = asking(
  ["R1 flood", "2,000 requests of one address for pages, documents and nothing"],
  async ({ ask }) => {
    const address = stranger();
    const paths = ["/", "/openapi.json", "/quick-checkout-link", "/nothing", "/errors"];
    const many = (from: number) =>
      Promise.all(times(50, (i) => ask(address, paths[(from + i) % paths.length]!)));
    return (await inTurn(40, many)).flat();
  },
  (answers) => [
    atMost("answers that are no refusal in a minute", count(answers, 200, 404, 422), 1200),
    must("the rest is refused", count(answers, 429) >= 800),
  ],
);

export const connections = [many, stubborn, pipelined, flood];
