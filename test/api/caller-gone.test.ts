import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { callerGone } from "../../src/web/http-request.ts";

test("calls of a batch share one listener for a client that disconnects", () => {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const gone = callerGone(response, new AbortController().signal);
  const signals = Array.from({ length: 100 }, () => gone());
  expect(response.listenerCount("close")).toBe(1);
  expect(signals.some(({ aborted }) => aborted)).toBe(false);
  response.emit("close");
  expect(signals.every(({ aborted }) => aborted)).toBe(true);
});
