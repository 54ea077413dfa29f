/**
 * Whole services run on SQLite, and every test of these files once more on PostgreSQL. The rules, the
 * pages' words and the provider know no database; the other files have both engines in themselves, and
 * test/instances is PostgreSQL alone. test/laws/engines.test.ts holds this.
 */
export const ALSO_ON_POSTGRES = [
  "test/{cli,http,journeys,mcp}/*.test.ts",
  "test/http/{desk,landing,quick-checkout}/*.test.ts",
  "test/laws/contract.test.ts",
  "test/merchant/payments/{after-order,give-back,pages,reconciler,refunds,webhooks}.test.ts",
  "test/merchant/{privacy,routes,stock-model}.test.ts",
];
