import type { VerifyResult } from "#connectors/index.js";
import {
  type AccessAssignment,
  type AccessReconciliation,
  accessReconciliations,
  isEnded,
} from "#families/access-grants/index.js";
import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { endDrift, noteDrift, observationOf } from "./note-drift.js";
import { contradicts } from "./rules.js";
import { accessDrift, type DriftKind } from "./schema.js";

/** Differences of one grant, one of each kind at most. */
const MOST = 20;

/** What a look at one grant has shown. */
export interface Shown {
  readonly presence: VerifyResult["presence"];
  readonly authoritative: boolean;
}

/** States in which the target has confirmed that it has nothing of an assignment. */
const OVER: ReadonlySet<string> = new Set(["revoked", "expired"]);

/** Whether a grant is being changed, or a copy may be older than its last change, so that a look means nothing yet. */
export const isUnsettled = (
  reconciliation: AccessReconciliation,
  { authoritative }: Pick<Shown, "authoritative">,
  now: string,
): boolean =>
  reconciliation.phase !== "idle" ||
  (!authoritative && reconciliation.settledUntil !== null && reconciliation.settledUntil > now);

/** How what a look shows differs from what was granted; `undefined` when it does not, or when it means nothing yet. */
export async function differenceOf(
  ctx: ReadContext,
  one: AccessAssignment,
  shown: Shown,
): Promise<DriftKind | undefined> {
  const reconciliation = (await ctx.db.lookup(accessReconciliations, "grant", { grantKey: one.grantKey }))?.value;
  if (shown.presence === "unknown" || (reconciliation && isUnsettled(reconciliation, shown, ctx.now))) return undefined;
  if (one.status === "active" && shown.presence !== "present")
    return shown.presence === "absent" ? "missing_in_target" : "over_privileged";
  const isBack = OVER.has(one.status) && shown.presence !== "absent";
  // Another assignment may hold the same grant, or nothing may ever have been asked of the target for it.
  return isBack && reconciliation && isEnded(reconciliation) ? "ended_still_present" : undefined;
}

/**
 * Keeps what a look at one grant means: a difference that it shows, or the end of those that it contradicts. Returns
 * the id of the difference.
 */
export async function noteLook(ctx: Context, one: AccessAssignment, shown: Shown): Promise<string | null> {
  const kind = await differenceOf(ctx, one, shown);
  if (kind !== undefined) {
    const observation = observationOf(one, kind, { certain: shown.authoritative });
    const [noted] = await noteDrift(ctx, [observation], { scanId: null, detectedBy: "verify" });
    return noted?.id ?? null;
  }
  const { rows } = await ctx.db.find(accessDrift, { where: { standingOn: one.grantKey }, size: MOST });
  for (const row of rows) {
    const drift = await ctx.current(accessDrift, row);
    if (drift.assignmentId === one.id && contradicts(drift.kind, shown.presence)) await endDrift(ctx, drift);
  }
  return null;
}
