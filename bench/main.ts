/**
 * `npm run bench`: quotes over HTTP on SQLite. `npm run bench -- --postgres`: instances on PostgreSQL
 * beside SQLite in one run. `npm run bench:orders`: a page of orders at a thousand and at a million.
 */
const flag = process.argv.indexOf("--postgres");
if (flag > 0) process.argv.splice(flag, 1);
await (flag > 0 ? import("./instances.ts") : import("./run.ts"));

export {};
