import { type ClientRequest, createServer, request } from "node:http";
import { listenLocally } from "./loopback.ts";

export interface Balancer {
  url: string;
  /**
   * Base addresses that requests go to, one after the other; one that takes no connection is left
   * out.
   */
  targets: string[];
  close(): Promise<void>;
}

/**
 * A load balancer without any affinity: every request goes to the next instance, over a connection of
 * its own. It says whom it speaks for in X-Forwarded-For, as TRUST_PROXY=1 wants it.
 */
export async function startBalancer(): Promise<Balancer> {
  const targets: string[] = [];
  let turn = 0;
  const server = createServer((req, res) => {
    const client = req.headers["x-forwarded-for"] ?? req.socket.remoteAddress ?? "";
    const headers = { ...req.headers, "x-forwarded-for": client };
    const bodyOf = async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks);
    };
    const tryNext = (body: Buffer, left: number): void => {
      const target = targets[turn++ % targets.length];
      if (!target || left === 0) return void res.writeHead(502).end();
      const { hostname, port } = new URL(target);
      const { method, url: path } = req;
      const asked: ClientRequest = request(
        { hostname, port, method, path, headers, agent: false },
        (answer) => {
          res.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(res);
          answer.on("error", () => res.destroy());
        },
      );
      let connected = false;
      asked.on("socket", (socket) => socket.once("connect", () => (connected = true)));
      // A request that has arrived somewhere is never sent again by a balancer: that is the client's.
      asked.on("error", () => (connected ? res.destroy() : tryNext(body, left - 1)));
      res.on("close", () => asked.destroy());
      asked.end(body);
    };
    bodyOf().then(
      (body) => tryNext(body, targets.length),
      () => res.destroy(),
    );
  });
  return {
    url: `http://127.0.0.1:${await listenLocally(server)}`,
    targets,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
