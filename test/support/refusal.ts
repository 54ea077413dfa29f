import { expect } from "vitest";
import { ERRORS, type ErrorCode } from "../../src/core/errors.ts";
import type { Answer } from "./shopper.ts";

/** Checks the exact shape of a refusal: problem+json and its headers (contract §11). */
export function expectRefusal(answer: Answer, code: ErrorCode) {
  const { status, title, retryable } = ERRORS[code];
  expect(answer.body).toMatchObject({ code });
  expect(answer.status).toBe(status);
  expect(answer.headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  const { retry_after, example: _, ...body } = answer.body;
  expect(answer.headers.get("retry-after")).toBe(retry_after ? String(retry_after) : null);
  expect(body).toEqual({
    type: expect.stringMatching(new RegExp(`^http://127\\.0\\.0\\.1:\\d+/errors#${code}$`)),
    title,
    status,
    detail: expect.stringMatching(/\S.*\.$/s),
    code,
    retryable,
    errors: expect.any(Array),
    next: expect.arrayContaining([{ action: expect.any(String), why: expect.any(String) }]),
    request_id: answer.headers.get("request-id"),
  });
  expect(body.request_id).toMatch(/^req_[0-9a-f]{32}$/);
  for (const { received, did_you_mean, parameter, ...problem } of body.errors) {
    expect([typeof received, typeof did_you_mean].sort().join()).toMatch(/^(string|undefined),/);
    if (parameter !== undefined) expect(problem.pointer).toMatch(`/${parameter}`);
    expect(problem).toEqual({
      pointer: expect.stringMatching(/^\//),
      code: expect.stringMatching(/^[A-Z_]+$/),
      detail: expect.stringMatching(/\S/),
    });
  }
}
