/**
 * `npm run bench`: quotes over HTTP on SQLite. `npm run bench -- --postgres`: instances on PostgreSQL
 * beside SQLite in one run. `npm run bench -- --answers`: CPU per answer over HTTP and MCP, and beside
 * a peer. `npm run bench:orders`: a page of orders at a thousand and at a million.
 */
const [flag] = ["--postgres", "--answers"].filter((name) => process.argv.includes(name));
if (flag) process.argv.splice(process.argv.indexOf(flag), 1);
if (flag === "--postgres") await import("./instances.ts");
else if (flag === "--answers") await import("./answers.ts");
else await import("./run.ts");

export {};
