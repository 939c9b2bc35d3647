import type { StoredRecord } from "@reeve/core/store";
import { defineCollection } from "@reeve/core/testing";

/** A collection for child processes of tests, which must not import the test runner. */
export const notes = defineCollection<StoredRecord & { kind: string }>({
  name: "notes",
  prefix: null,
  // A store parses nothing.
  schema: undefined as never,
  fields: { kind: { type: "text" } },
  indexes: [{ where: ["kind"] }],
  counted: ["kind"],
});
