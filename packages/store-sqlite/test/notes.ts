import type { StoredRecord } from "@reeve/core/store";
import { defineCollection } from "@reeve/core/testing";

/** A collection for processes that tests start: they know no test runner. */
export const notes = defineCollection<StoredRecord & { kind: string }>({
  name: "notes",
  prefix: null,
  // Nothing is parsed in a store.
  schema: undefined as never,
  fields: { kind: { type: "text" } },
  indexes: [{ where: ["kind"] }],
  counted: ["kind"],
});
