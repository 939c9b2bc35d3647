import { accessAssignments, unknownOf } from "#families/access-grants/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";

/** The most assignments that are counted. */
const MOST = 1_000;

/** Access that targets took, or whose removal they took, without showing it. */
export interface UnseenAccess {
  readonly value: number;
  /** Since when the first of it. */
  readonly since: string;
  readonly settledBy: string;
}

/** Counts the access that targets do not show, up to a bound; `null` when they show all. */
export async function unseenAccess({ db, now }: Pick<ReadContext, "db" | "now">): Promise<UnseenAccess | null> {
  const order = { by: "unseenSince", direction: "asc" } as const;
  const { rows } = await db.find(accessAssignments, { order, range: { through: now }, size: MOST });
  const [first] = rows;
  const unknown = first && unknownOf(first.value);
  return unknown ? { value: rows.length, since: unknown.since, settledBy: unknown.settledBy } : null;
}
