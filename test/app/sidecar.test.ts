/** A process beside a running service believes only what knows the shop's secret. */
import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { answersAt } from "../../src/app/compose.ts";
import { listenLocally } from "../support/loopback.ts";
import { startService } from "../support/service.ts";

test("a running service of this shop is recognized, one that only repeats its public answer is not", async () => {
  const { baseUrl, installation, stop } = await startService();
  onTestFinished(stop);
  expect(await answersAt(baseUrl, installation)).toEqual({ endsWithClient: false });
  expect(await answersAt(baseUrl, { id: "another installation" })).toBeNull();
  const repeated = await (await fetch(`${baseUrl}/healthz?challenge=seen`)).text();
  const impostor = createServer((_req, res) => void res.end(repeated));
  onTestFinished(() => void impostor.close());
  const port = await listenLocally(impostor);
  expect(await answersAt(`http://127.0.0.1:${port}`, installation)).toBeNull();
});
