import type { StoreStatus } from "@reeve/core/store";
import type { Migration, Rows } from "@reeve/store-sql";
import type { Namespace } from "../statement/namespace.js";
import { BACKFILL_STATUS, backfillStatus } from "./backfills.js";
import { RESTORED, restoredSchema } from "./restored.js";

/** One row about the database. The third column is whether the server takes reads only. */
export const STATUS = `select max(number), floor(extract(epoch from clock_timestamp()) * 1000)::float8,
  current_setting('transaction_read_only')::boolean,
  coalesce(bool_or(phase is distinct from 'expand' and number <> all($1::integer[])), false),
  ${BACKFILL_STATUS}, ${RESTORED}, coalesce(bool_or(number <> all($1::integer[])), false) from "reeve".migrations`;

/** The parameters of `STATUS`. */
export function statusValues(migrations: readonly Migration[], namespace: Namespace): readonly unknown[] {
  return [migrations.map(({ number }) => number), restoredSchema(namespace)];
}

/** A row of `STATUS` as the status. */
export function statusOf(row: Rows[number], migrations: readonly Migration[]): StoreStatus {
  const [applied, now, readOnly, refused, reported = "[]", restored, unknown] = row as [
    number | null,
    number,
    boolean,
    boolean,
    string,
    boolean,
    boolean,
  ];
  const latest = migrations.at(-1)?.number ?? 0;
  const backfills = backfillStatus(reported);
  return {
    kind: "postgres",
    migration: {
      applied: applied ?? 0,
      latest,
      ...(unknown ? { unknown } : {}),
      ...(refused ? { refused } : {}),
    },
    now,
    readOnly,
    ...(backfills.length > 0 ? { backfills } : {}),
    ...(restored ? { restored } : {}),
  };
}

/** The status of a database without a table of the store. */
export function unmadeStatus(migrations: readonly Migration[]): StoreStatus {
  return { kind: "postgres", migration: { applied: 0, latest: migrations.at(-1)?.number ?? 0 } };
}
