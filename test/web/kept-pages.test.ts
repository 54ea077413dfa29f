/** Public pages are compressed once for all visitors. */
import { createHook } from "node:async_hooks";
import { get } from "node:http";
import { buffer } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { startService } from "../support/service.ts";

const PAGES = ["/", "/beans/kenya-nyeri", "/beans/peru-cajamarca-decaf", "/shipping", "/privacy"];

/** Reads a page as it is sent. Returns its encoding. */
function read(url: string): Promise<string | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  get(url, { headers: { "accept-encoding": "br" } }, (answer) => {
    buffer(answer).then(() => resolve(answer.headers["content-encoding"]), reject);
  }).once("error", reject);
  return promise;
}

test("visitors who alternate between public pages have each page compressed once", async () => {
  const shop = await startService();
  onTestFinished(() => shop.stop());
  let compressors = 0;
  const counting = createHook({
    init: (_id, type) => {
      if (type === "ZLIB") compressors += 1;
    },
  }).enable();
  onTestFinished(() => void counting.disable());
  for (let round = 0; round < 3; round++) {
    for (const path of PAGES) expect([path, await read(shop.baseUrl + path)]).toEqual([path, "br"]);
  }
  expect(compressors).toBe(PAGES.length);
});
