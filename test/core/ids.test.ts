/** The compiler tells ids of different kinds apart. */
import { expectTypeOf, it } from "vitest";
import { newId, type OrderId, type QuoteId } from "../../src/core/ids.ts";
import type { AttemptRow, OrderRow } from "../../src/core/records.ts";

it("ids of two kinds cannot be mixed, also in rows", () => {
  expectTypeOf<QuoteId>().not.toExtend<OrderId>();
  expectTypeOf<OrderRow["attempt_id"]>().not.toExtend<OrderId>();
  expectTypeOf<OrderRow["quote_id"]>().toEqualTypeOf<AttemptRow["quote_id"]>();
  expectTypeOf(newId("ord", 0)).toExtend<OrderId>();
  expectTypeOf(newId("shp", 0)).not.toExtend<OrderId>();
});
