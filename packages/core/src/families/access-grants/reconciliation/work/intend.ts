import type { GrantSpec } from "#connectors/index.js";
import type { Context } from "#kernel/operation/context.js";
import { timestamp } from "#ports/clock.js";
import { expiryFrom } from "../../assignments/assignment-time.js";
import { contradict } from "../../assignments/end/contradict.js";
import { accessAssignments } from "../../assignments/schema.js";
import { type AccessReconciliation, accessReconciliations } from "../schema.js";
import { heldReconciliation } from "./continue.js";
import { type Holders, holdersOf } from "./holders.js";
import { LEASE } from "./lease.js";
import { settledFrom } from "./propagation.js";

/** A write that was stored before it is made. */
export interface Intent {
  readonly reconciliation: AccessReconciliation;
  readonly spec: GrantSpec & { readonly externalGrantId?: string };
}

/**
 * Stores which write is about to be made, so that after a crash nobody takes its outcome for known. `undefined` when
 * the holders want something else by now.
 */
export async function intend(
  ctx: Context,
  seen: AccessReconciliation,
  presence: AccessReconciliation["targetState"],
): Promise<Intent | undefined> {
  const reconciliation = await heldReconciliation(ctx, seen);
  const holders = await holdersOf(ctx, reconciliation);
  if (holders.wanted !== seen.wanted) {
    await ctx.update(accessReconciliations, reconciliation, { phase: "due", dueAt: ctx.now });
    return undefined;
  }
  if (presence === "present" || presence === "mismatch")
    for (const one of holders.ending) await contradict(ctx, await ctx.getOrThrow(accessAssignments, one.id));
  const acting = seen.wanted === "present" ? "grant" : "revoke";
  const dueAt = timestamp(ctx.request.nowMs + LEASE);
  const granted = reconciliation.granted || acting === "grant";
  const settledUntil = await settledFrom(ctx, reconciliation);
  const shown = reconciliation.shown && (reconciliation.granted || acting === "revoke");
  const begun = { acting, granted, shown, dueAt, settledUntil } as const;
  const intended = await ctx.update(accessReconciliations, reconciliation, begun, { touch: true });
  return { reconciliation: { ...intended, asked: seen.asked }, spec: specOf(intended, holders, ctx.request.nowMs) };
}

/** The grant as the connector takes it. It lasts as long as the longest of its holders. */
export function specOf(
  reconciliation: AccessReconciliation,
  { holding }: Pick<Holders, "holding">,
  nowMs: number,
): Intent["spec"] {
  const { grantKey, resource, profileExternalId, principal, parameters, externalGrantId } = reconciliation;
  const { displayName, ...who } = principal;
  const ends = holding.map((one) => (one.status === "pending" ? expiryFrom(one, nowMs) : one.expiresAt));
  const last = ends.includes(null) ? null : (ends.sort().at(-1) ?? null);
  return {
    ...{ grantKey, resource, profileExternalId, parameters },
    principal: displayName === null ? who : { ...who, displayName },
    expiresAt: last === null ? null : new Date(Date.parse(last)),
    ...(externalGrantId === null ? {} : { externalGrantId }),
  };
}
