import { claimPart, claimsOf, filledRow, OUTDATED } from "../schema/filled-row.js";
import type { Backfill, BackfillDatabase, Run } from "./backfill-database.js";

/** Rows looked at in one transaction. */
const CHUNK = 500;
/** Ids that a message names. */
const NAMED = 20;

/** The records without a key because others hold it. */
export interface SharedKey {
  readonly columns: readonly string[];
  readonly count: number;
  /** The first of their ids. */
  readonly ids: readonly string[];
}

/** Gives records a key that has become free, and finds those whose key another record still holds. */
export async function sharedKeys(
  db: BackfillDatabase,
  backfill: Backfill,
  renew: (run: Run) => Promise<void>,
): Promise<readonly SharedKey[]> {
  const found: SharedKey[] = [];
  for (const columns of backfill.target.keys) {
    const ids: string[] = [];
    let count = 0;
    for (let after: Place | undefined = ["", ""]; after; ) {
      const from: Place = after;
      const step = await db.transaction(async (run) => {
        await renew(run);
        return claimAgain(db, run, backfill, columns, from);
      });
      count += step.refused.length;
      ids.push(...step.refused.slice(0, NAMED - ids.length));
      after = step.last;
    }
    if (count > 0) found.push({ columns, count, ids });
  }
  return found;
}

/** What an operator is told of it. */
export function sharedText(table: string, shared: readonly SharedKey[]): string {
  return shared
    .map(({ columns, count, ids }) => {
      const more = count > ids.length ? ` and ${count - ids.length} more` : "";
      return `${table}: records whose ${columns.join(", ")} another record has too: ${count} (${ids.join(", ")}${more})`;
    })
    .join("; ");
}

type Place = readonly [tenantId: string, id: string];

async function claimAgain(
  db: BackfillDatabase,
  run: Run,
  { reshape, target }: Backfill,
  columns: readonly string[],
  after: Place,
): Promise<{ readonly refused: readonly string[]; readonly last: Place | undefined }> {
  const table = db.table(reshape.table);
  const unheld = columns.map((column) => `"${column}" is null`).join(" or ");
  const rows = `from ${table} where removed_at is null and (${unheld}) and (tenant_id, id) > (?, ?)`;
  const [first] = await run(`select tenant_id ${rows} order by tenant_id, id limit 1`, after);
  if (!first) return { refused: [], last: undefined };
  const tenantId = first[0] as string;
  await db.lock(run, tenantId);
  const some = await run(`select ${OUTDATED.join(", ")} ${rows} and tenant_id = ? order by id limit ${CHUNK}`, [
    ...after,
    tenantId,
  ]);
  const claim = claimPart(table, columns);
  const refused: string[] = [];
  for (const cells of some) {
    const [id, version] = cells as readonly [string, number];
    for (const { columns: of, values } of claimsOf(target, filledRow(target, cells, db.encode))) {
      if (of !== columns) continue;
      const taken = await run(claim.sql, [...values, tenantId, id, version, tenantId, ...values]);
      if (taken.length === 0) refused.push(id);
    }
  }
  return { refused, last: [tenantId, (some.at(-1)?.[0] as string | undefined) ?? (first[0] as string)] };
}
