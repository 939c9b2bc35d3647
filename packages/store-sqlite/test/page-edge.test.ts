import type { FindQuery, Position } from "@reeve/core/store";
import { SqlReader } from "@reeve/store-sql";
import { ticket, tickets } from "@reeve/testkit";
import { expect, it, onTestFinished } from "vitest";
import { SqliteAccess } from "../src/access.js";
import { openConnection } from "../src/connection.js";
import { anyDriver } from "../src/driver/choose.js";
import { Statements } from "../src/statements.js";
import { openStore } from "./support.js";

/** All ids of a list of which each page examines few rows. */
async function walk(reader: SqlReader): Promise<string[]> {
  const ids: string[] = [];
  for (let after: Position | undefined, isLast = false; !isLast; ) {
    const query: FindQuery = { where: { grade: "rare" }, size: 2, bound: 3, ...(after ? { after } : {}) };
    const { rows, next } = await reader.find(tickets, query);
    ids.push(...rows.map(({ id }) => id));
    [after, isLast] = [next, next === undefined];
  }
  return ids;
}

const all = Array.from({ length: 12 }, (_none, at) =>
  ticket(at + 1, { grade: [9, 6, 1].includes(at + 1) ? "rare" : "a" }),
);

it("a page that ends at its bound goes on behind what it has examined, whatever is removed meanwhile", async () => {
  const { store, file } = await openStore();
  const writer = store.forTenant("t");
  await writer.insertMany(tickets, all);
  const db = openConnection(anyDriver(), { file, synchronous: "FULL" });
  onTestFinished(() => void db.close());
  const statements = new Statements(db);
  let asked = 0;
  const access = new SqliteAccess(async (run) => {
    asked += 1;
    if (asked === 2) await writer.remove(tickets, all[11] as (typeof all)[0], "now");
    return run(statements);
  });
  expect(await walk(new SqlReader("t", access))).toEqual([9, 6, 1].map((n) => ticket(n).id));
  expect(asked).toBeGreaterThan(2);
});
