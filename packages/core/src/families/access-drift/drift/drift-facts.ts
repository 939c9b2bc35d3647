import { accessFigures } from "#families/access/index.js";
import type { AccessAssignment } from "#families/access-grants/index.js";
import { type AccessFacts, accessFacts } from "#families/access-reviews/index.js";
import { extend } from "#kernel/config/extension.js";
import { countsNow } from "#kernel/operation/numbers.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { accessDriftScans } from "../scans/schema.js";
import { openDriftOf } from "./open-drift.js";
import { accessDrift, KINDS } from "./schema.js";

/** Targets that a scan has compared as a whole, of some. Of others nobody knows whether anything differs. */
export async function comparedTargets(ctx: ReadContext, instanceIds: readonly string[]): Promise<ReadonlySet<string>> {
  const values = [...new Set(instanceIds)];
  const found = await ctx.db.findTopPerKey(accessDriftScans, { field: "reportsOn", values, size: 1 });
  return new Set([...found].flatMap(([id, rows]) => (rows.length > 0 ? [id] : [])));
}

/** How many differences of access are open. It is not known where no scan could tell. */
async function openDrift(
  ctx: ReadContext,
  some: readonly AccessAssignment[],
): Promise<ReadonlyMap<string, AccessFacts>> {
  const [compared, open] = await Promise.all([
    comparedTargets(
      ctx,
      some.map(({ connectorInstanceId }) => connectorInstanceId),
    ),
    openDriftOf(
      ctx,
      some.map(({ id }) => id),
    ),
  ]);
  const known = some.map(({ id, connectorInstanceId }) => {
    const count = open.get(id)?.length ?? 0;
    return [id, count > 0 || compared.has(connectorInstanceId) ? { openDrift: count } : {}] as const;
  });
  return new Map(known);
}

/** Scans among which one is looked for that could tell. */
const SCANS = 100;

/** Numbers of what is open by kind, for the dashboard. They are not known where nothing is open and no scan could tell. */
export const driftFigures = extend(accessFigures, {
  section: "drift",
  async read(ctx) {
    const counts = await countsNow(ctx, accessDrift, "openKind");
    const figures = KINDS.map((kind) => ({
      ...{ key: kind, value: counts.get(kind) ?? 0, relation: "exact" as const },
      url: `/api/v1/access-drift?status=open,repairing&kind=${kind}`,
    })).filter(({ value }) => value > 0);
    if (figures.length > 0) return figures;
    const { rows } = await ctx.db.find(accessDriftScans, { size: SCANS });
    return rows.some(({ value }) => value.status === "complete" && value.coverage !== "none") ? figures : null;
  },
});

/** Whoever reviews access is shown how many of its differences are open. */
export const driftOfAccess = extend(accessFacts, openDrift);
