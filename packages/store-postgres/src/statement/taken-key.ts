import { isOfRecords, uniqueName, type Write } from "@reeve/store-sql";
import type { DatabaseError } from "pg";

/** The table and declared key of a unique violation, by the name of its index. */
export function takenKey(
  error: DatabaseError,
  batch: readonly Write[],
): { readonly table: string; readonly key: string } {
  const table = error.table ?? "";
  for (const write of batch) {
    if (!isOfRecords(write) || write.table.name !== table) continue;
    const keys = Object.keys(write.table.spec.unique);
    const key = keys.find((name) => uniqueName(table, name) === error.constraint);
    if (key !== undefined) return { table, key };
  }
  return { table, key: "id" };
}
