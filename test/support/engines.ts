/**
 * An interface holds no rule and no query (test/laws/layers.test.ts), and what stands behind it is
 * tested on both engines: so `npm test` uses each on SQLite, and `npm run test:interfaces`, which
 * `.ci/run` runs after it, once more on PostgreSQL.
 */
export const INTERFACES = ["test/{cli,http,mcp}/**/*.test.ts"];

/**
 * Every other test runs on SQLite and once more on PostgreSQL, unless it stands here. So a new test is on
 * both engines by itself; test/laws/engines.test.ts holds what is left out to what is said of it.
 */
export const NO_DATABASE = [
  "test/{ask,domain,mail,operations,payments,server}/**/*.test.ts",
  "test/http/{error-headers,fallback}.test.ts",
  "test/http/pages/**/*.test.ts",
  "test/laws/{citations,contract-numbers,engines,fields,layers,policy-numbers,ports,vocabulary}.test.ts",
  "test/docs/generated.test.ts",
  "test/mcp/laws.test.ts",
  "test/merchant/secrets.test.ts",
];

/** They open every engine themselves, one after the other. */
export const EVERY_ENGINE_INSIDE = [
  "test/store/**/*.test.ts",
  "test/merchant/{backup,cancellations,catalog,catalog-at-once,desk-tasks,finder,mail,order-corrected,order-steps,order-undone,retention,review-links}.test.ts",
  "test/merchant/{waitlist,waitlist-offers}.test.ts",
  "test/merchant/payments/{chaos,courtesy,crash,reconcilers}.test.ts",
];

/** About what has one database, or about PostgreSQL alone. */
const ONE_ENGINE = [
  // Several instances share a PostgreSQL.
  "test/instances/**/*.test.ts",
  // What documents and packages say, on the database that a newcomer has.
  "test/{build,docs,hostile}/**/*.test.ts",
];

/** What is read once only. */
export const RUN_ONCE = [...NO_DATABASE, ...EVERY_ENGINE_INSIDE, ...ONE_ENGINE];

/**
 * What `npm run test:fast` leaves out: browsers, processes, several instances, and whatever else takes
 * seconds. In the whole run none of them begins last.
 */
export const SLOW = [
  "test/http/pages/browser.test.ts",
  "test/journeys/*.test.ts",
  "test/http/desk/journey.test.ts",
  "test/{build,hostile,instances}/*.test.ts",
  "test/merchant/payments/*.test.ts",
  "test/mcp/{card,conformance,direct,interfaces,mistakes,notifications,process}.test.ts",
  "test/payments/{emulator,failures,stripe-wire,verify}.test.ts",
  "test/store/{crash,immutable,last-version,move,overlay,postgres,postgres-connections,schema}.test.ts",
  "test/store/sqlite-copy.test.ts",
  "test/store/sqlite-file.test.ts",
  "test/{cli,docs}/*.test.ts",
  "test/http/{bounds,limits,orders,paying,review}.test.ts",
  "test/http/quick-checkout/{build-link,courtesy,traceless}.test.ts",
  "test/http/desk/{first-start,long-lists,orders,two-merchants}.test.ts",
  "test/merchant/{backup,mail,stock-model,waitlist-offers}.test.ts",
  "test/{ask/properties,ask/silence,operations/limits}.test.ts",
  "test/server/{connections,log,tracing}.test.ts",
];
