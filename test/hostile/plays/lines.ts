/** Connections that are opened, and then something else than a request follows, or nothing. */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { atMost, type Play } from "../play.ts";
import type { Stage } from "../stage.ts";

/** Never closes its own half. */
async function line(port: number, bytes: string): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  socket.on("error", () => {});
  socket.on("data", () => {});
  await once(socket, "connect");
  if (bytes) socket.write(bytes);
  return socket;
}

const lines = (port: number, number: number, bytes: string) =>
  Promise.all(Array.from({ length: number }, () => line(port, bytes)));

const SAID = {
  silent: "",
  "half a header": "GET /v1/catalog HTTP/1.1\r\nHost: shop\r\nX: ",
  "half a body": "POST /mcp HTTP/1.1\r\nHost: shop\r\nContent-Length: 100\r\n\r\n{",
  "no HTTP": "hello\r\n\r\n",
};

/** As the kernel writes them: established, and closed by the other side alone. */
const HELD = new Set(["01", "08"]);

/** What the service still holds, by the kernel's word: it may have let go without our end knowing. */
async function held({ port }: Stage): Promise<number> {
  const files = ["/proc/net/tcp", "/proc/net/tcp6"].map((file) =>
    readFile(file, "utf8").catch(() => ""),
  );
  const rows = (await Promise.all(files)).join("\n").split("\n");
  const end = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const fields = rows.map((row) => row.trim().split(/\s+/));
  return fields.filter(([, at, , state]) => at?.endsWith(end) && HELD.has(state ?? "")).length;
}

/** Looks until so few are held, or the time is over; answers how many there are then. */
async function until(stage: Stage, few: number, withinMs: number): Promise<number> {
  const end = performance.now() + withinMs;
  let lines = await held(stage);
  while (lines > few && performance.now() < end) {
    await delay(100);
    lines = await held(stage);
  }
  return lines;
}

/** Headers have 15 s, bodies 30 s, and the last words a second (contract §14). */
const WITHIN_MS = 34_000;

export const stubborn: Play = {
  name: "H9 lines",
  tried: "150 lines each that are silent, stop in a header or a body, or are no HTTP; none closes",
  async play(stage) {
    const all = await Promise.all(Object.values(SAID).map((said) => lines(stage.port, 150, said)));
    const began = performance.now();
    const before = await held(stage);
    const left = await until(stage, 10, WITHIN_MS);
    const seconds = Math.round((performance.now() - began) / 1000);
    for (const socket of all.flat()) socket.destroy();
    return {
      answered: `${before} lines opened`,
      held: `${left} lines after ${seconds} s`,
      // The neighbour has one, and one may be just beginning.
      bounds: [atMost("lines that are still held", left, 10)],
    };
  },
};

export const many: Play = {
  name: "H9 many",
  tried: "400 lines of one address where 100 are the most there may be",
  short: true,
  env: { MAX_CONNECTIONS: "100", TRUST_PROXY: "0" },
  async play(stage) {
    const all = await lines(stage.port, 400, "");
    const taken = await until(stage, 25, 10_000);
    for (const socket of all) socket.destroy();
    return {
      answered: `${all.length} lines opened`,
      held: `${taken} lines`,
      bounds: [atMost("lines of one address", taken, 25)],
    };
  },
};
