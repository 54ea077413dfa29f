// drizzle-kit looks for tables among a file's exports.
module.exports = require("../src/store/sqlite/schema.ts").schema;
