import type { TableSpec } from "../schema/table-spec.js";
import data from "./0001-foundation.json" with { type: "json" };
import type { Migration } from "./migration.js";

/** Data as `npm run migrations:pin` writes it: a table of each collection. */
const tables: unknown = data;

/** The event log, the counters, and the tables of the first resources. */
export const foundation: Migration = {
  number: 1,
  name: "foundation",
  tables: tables as readonly TableSpec[],
  kernel: (dialect) => dialect.kernel,
};
