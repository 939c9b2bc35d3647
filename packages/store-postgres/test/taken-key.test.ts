import { columnValues } from "@reeve/core/store";
import { type Table, tableOf, type Write } from "@reeve/store-sql";
import { thing, things } from "@reeve/testkit";
import type { DatabaseError } from "pg";
import { expect, it } from "vitest";
import { takenKey } from "../src/statement/taken-key.js";

const table = tableOf(things) as unknown as Table;
const records = [thing(1)];
const batch: Write[] = [
  { kind: "append", tenantId: "t", events: [] },
  { kind: "insert", tenantId: "t", table, records, values: records.map((record) => columnValues(things, record)) },
];
const taken = (fields: Partial<DatabaseError>) =>
  takenKey(Object.assign(new Error(fields.message), fields) as DatabaseError, batch);
const ofNode = (constraint: string) =>
  taken({ message: `duplicate key value violates unique constraint "${constraint}"` });

it("names the key whose index was met", () => {
  const fields = { table: "contract_things", message: "" };
  expect(taken({ ...fields, constraint: "uq_contract_things_slug" })).toEqual({
    table: "contract_things",
    key: "slug",
  });
  expect(taken({ ...fields, constraint: "contract_things_pkey" })).toEqual({ table: "contract_things", key: "id" });
});

it("reads it from the message of a node, which names the index of a shard and no table", () => {
  expect(ofNode("uq_contract_things_slug_102551")).toEqual({ table: "contract_things", key: "slug" });
  expect(ofNode("uq_contract_things_place_9")).toEqual({ table: "contract_things", key: "place" });
  expect(ofNode("contract_things_pkey_102551")).toEqual({ table: "contract_things", key: "id" });
});

it("takes no index of another table for one", () => {
  expect(ofNode("uq_contract_things_slug_of_others_102551")).toEqual({ table: "", key: "id" });
});
