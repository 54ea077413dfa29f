/**
 * Whole services run on SQLite, and every test of these files once more on PostgreSQL. The rules, the
 * pages' words and the provider know no database; the other files have both engines in themselves, and
 * test/instances is PostgreSQL alone. test/laws/engines.test.ts holds this.
 */
export const ALSO_ON_POSTGRES = [
  "test/{desk,front,http,journeys,mcp,quick-checkout}/*.test.ts",
  "test/laws/contract.test.ts",
  "test/money/{after-order,give-back,pages,reconciler,webhooks}.test.ts",
  "test/verbs/{cli,routes,stock-model}.test.ts",
];
