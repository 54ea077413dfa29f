import { beforeAll, describe, expect, it } from "vitest";
import { countRows } from "../support/all-rows.ts";
import { WAITLISTED } from "../support/catalog.ts";
import { startService, type TestService } from "../support/service.ts";
import { register, send } from "../support/shopper.ts";

describe("over HTTP", () => {
  let service: TestService;
  let key: string;
  beforeAll(async () => {
    service = await startService();
    key = await register(service.baseUrl);
    return () => service.stop();
  });

  const post = (path: string, body: unknown, more = {}) =>
    send(service.baseUrl, path, { body, key, ...more });
  const entry = (email: string) => ({ product_id: WAITLISTED, quantity: 2, buyer: { email } });

  it("all problems of a waitlist request are listed at once", async () => {
    const wrong = await post("/v1/waitlist", { product_id: "tea", quantity: 0, buyer: {}, eta: 1 });
    expect(wrong.status).toBe(422);
    const pointers = wrong.body.errors.map(({ pointer }: { pointer: string }) => pointer).sort();
    expect(pointers).toEqual(["/buyer/email", "/eta", "/product_id", "/quantity"]);
    const stocked = { ...entry("b@example.com"), product_id: "kenya-nyeri" };
    expect(await post("/v1/waitlist", stocked)).toMatchObject({
      status: 422,
      body: { code: "WAITLIST_NOT_OFFERED" },
    });
  });

  it("a replayed feedback is stored once; one with a card number never", async () => {
    const { store } = service;
    const twice = { idempotencyKey: "feedback-1" };
    const first = await post("/v1/feedback", { message: "Lovely." }, twice);
    expect(first).toMatchObject({ status: 201, body: { status: "RECEIVED" } });
    const again = await post("/v1/feedback", { message: "Lovely." }, twice);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.body).toEqual(first.body);
    const secret = { message: "Card 4242 4242 4242 4242" };
    const refused = await post("/v1/feedback", secret);
    expect(refused).toMatchObject({ status: 422, body: { code: "SECRET_IN_MESSAGE" } });
    expect(refused.text).not.toContain("4242");
    expect(await countRows(store, "feedback")).toBe(1);
  });

  it("a bulk lead is acknowledged, and nothing is promised", async () => {
    const lead = { email: "office@example.com", purpose: "An office.", quantity: "40 a week" };
    const answer = await post("/v1/bulk-leads", lead);
    expect(answer.status).toBe(201);
    expect(answer.body.message).toContain("No pricing, availability or timing is promised.");
    const wrong = await post("/v1/bulk-leads", { ...lead, quantity: { bags: 40 } });
    expect(wrong).toMatchObject({ status: 422, body: { errors: [{ pointer: "/quantity" }] } });
  });

  it("a question needs no key, and counts with one", async () => {
    const path = `/v1/ask?q=${encodeURIComponent("Where is the Haraz from?")}`;
    const anyone = await send(service.baseUrl, path);
    expect(anyone.status).toBe(200);
    expect(JSON.stringify(anyone.body.beans)).toContain("Haraz");
    expect(anyone.body).not.toHaveProperty("finder");
    const known = await send(service.baseUrl, path, { key });
    expect(known.body.finder).toMatchObject({ progress: 1, needed: 3 });
    expect(known.headers.get("cache-control") ?? "").not.toContain("public");
    for (const q of ["", "%20", "a".repeat(501)])
      expect((await send(service.baseUrl, `/v1/ask?q=${q}`)).status).toBe(422);
    expect((await send(service.baseUrl, "/v1/ask")).status).toBe(422);
  });

  it("a bad key is refused even by operations that need none", async () => {
    const answer = await send(service.baseUrl, "/v1/ask?q=hi", { key: "cma_wrong" });
    expect(answer.status).toBe(401);
  });
});
