import { isOfRecords, uniqueName, type Write } from "@reeve/store-sql";
import type { DatabaseError } from "pg";

/**
 * The table and declared key of a unique violation, by the name of its index. On a cluster names are those of a shard,
 * which have its number at the end.
 */
export function takenKey(
  error: DatabaseError,
  batch: readonly Write[],
): { readonly table: string; readonly key: string } {
  const table = error.table ?? "";
  for (const write of batch) {
    if (!isOfRecords(write) || !isNamed(table, write.table.name)) continue;
    const { name, spec } = write.table;
    const keys = Object.keys(spec.unique);
    const key = keys.find((each) => isNamed(error.constraint ?? "", uniqueName(name, each)));
    return { table: name, key: key ?? "id" };
  }
  return { table, key: "id" };
}

function isNamed(found: string, name: string): boolean {
  if (found === name) return true;
  const [, whole, start] = /^((?:(.+)_[0-9a-f]{8}|.+))_\d+$/.exec(found) ?? [];
  // A name that is too long with its number is cut, and has a hash.
  return whole === name || (start !== undefined && found.length > 60 && name.startsWith(start));
}
