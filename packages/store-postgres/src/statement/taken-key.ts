import { isOfRecords, uniqueName, type Write } from "@reeve/store-sql";
import type { DatabaseError } from "pg";

/**
 * The table and declared key of a unique violation, by the name of its index. On a cluster names are those of a shard,
 * which have its number at the end, and stand in the message alone.
 */
export function takenKey(
  error: DatabaseError,
  batch: readonly Write[],
): { readonly table: string; readonly key: string } {
  const { table: found = "", constraint = /\b(?:uq_\w+|\w+_pkey(?:_\d+)?)\b/.exec(error.message)?.[0] ?? "" } = error;
  for (const write of batch) {
    if (!isOfRecords(write)) continue;
    const { name, spec } = write.table;
    const key = Object.keys(spec.unique).find((each) => isNamed(constraint, uniqueName(name, each)));
    if (key !== undefined) return { table: name, key };
    if (isNamed(found, name) || isNamed(constraint, `${name}_pkey`)) return { table: name, key: "id" };
  }
  return { table: found, key: "id" };
}

function isNamed(found: string, name: string): boolean {
  if (found === name) return true;
  const [, whole, start] = /^((?:(.+)_[0-9a-f]{8}|.+))_\d+$/.exec(found) ?? [];
  // A name that is too long with its number is cut, and has a hash.
  return whole === name || (start !== undefined && found.length > 60 && name.startsWith(start));
}
