// drizzle-kit looks for tables among a file's exports.
module.exports = require("../src/db/postgres/schema.ts").schema;
