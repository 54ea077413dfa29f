/**
 * `npm run bench`: quotes over HTTP on SQLite. `npm run bench -- --postgres`: instances on PostgreSQL
 * beside SQLite in one run. `npm run bench:orders`: a page of orders at a thousand and at a million.
 */
const postgres = process.argv.indexOf("--postgres");
if (postgres === -1) await import("./run.ts");
else {
  process.argv.splice(postgres, 1);
  await import("./instances.ts");
}

export {};
