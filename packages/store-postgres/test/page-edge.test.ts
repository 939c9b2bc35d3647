import type { FindQuery, Position } from "@reeve/core/store";
import { SqlReader } from "@reeve/store-sql";
import { ticket, tickets } from "@reeve/testkit";
import { expect, it } from "vitest";
import { PostgresAccess } from "../src/query/access.js";
import { connect, freshStore } from "./support.js";

/** All ids of a list of which each page examines few rows. */
async function walk(reader: SqlReader, read: "find" | "list"): Promise<string[]> {
  const ids: string[] = [];
  for (let after: Position | undefined, isLast = false; !isLast; ) {
    const query: FindQuery = { where: { grade: "rare" }, size: 2, bound: 3, ...(after ? { after } : {}) };
    const { next, ...page } = await reader[read](tickets, query);
    const found: readonly { readonly id: string }[] = "rows" in page ? page.rows : JSON.parse(page.items);
    ids.push(...found.map(({ id }) => id));
    [after, isLast] = [next, next === undefined];
  }
  return ids;
}

const all = Array.from({ length: 12 }, (_none, at) =>
  ticket(at + 1, { grade: [9, 6, 1].includes(at + 1) ? "rare" : "a" }),
);

it("a page that ends at its bound goes on behind what it has examined, whatever is removed meanwhile", async () => {
  const { store, url } = await freshStore();
  const writer = store.forTenant("t");
  await writer.insertMany(tickets, all);
  const client = await connect(url);
  for (const read of ["find", "list"] as const) {
    let asked = 0;
    const access = new PostgresAccess(
      async ({ sql, slots }, values) => {
        asked += 1;
        if (asked === 2) await writer.remove(tickets, all[read === "find" ? 11 : 10] as (typeof all)[0], "now");
        const text = { text: sql, values: slots.map((slot) => values[slot]), rowMode: "array" as const };
        return (await client.query(text)).rows;
      },
      async () => false,
    );
    const reader = new SqlReader("t", access);
    expect(await walk(reader, read)).toEqual([9, 6, 1].map((n) => ticket(n).id));
    expect(asked).toBeGreaterThan(2);
  }
});
