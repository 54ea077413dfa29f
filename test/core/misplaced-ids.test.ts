import { expect, it } from "vitest";
import { refuseMisplacedIds } from "../../src/api/perform.ts";

it("names the tool that takes such an id, and the received id", () => {
  const refuse = () => refuseMisplacedIds({ order_id: "qte_$&" });
  const action = "get_quote_order (GET /v1/quotes/qte_$&/order)";
  const next = [expect.objectContaining({ action })];
  expect(refuse).toThrow(expect.objectContaining({ code: "NOT_FOUND", next }));
});
