import { assets } from "#families/estate/index.js";
import {
  areTooMany,
  type Cover,
  changeFindings,
  exemptionState,
  type Finding,
  lasting,
} from "#families/findings/index.js";
import { inChunks } from "#kernel/async/in-chunks.js";
import type { Context } from "#kernel/operation/context.js";
import { requirePermission } from "#kernel/operation/permission.js";
import { exemptionStatus } from "./machine.js";
import { findingsIn, type Reach, tooMany, tooManyOn } from "./request/reach.js";
import { MOST_MATCHED, noticesBy } from "./rules.js";
import { type Exemption, exemptions } from "./schema.js";

/**
 * Approves a request and applies it to its findings, in the same transaction. A renewal that has begun supersedes the
 * renewed exemption.
 */
export async function approveExemption(
  ctx: Context,
  exemption: Exemption,
  reach: Reach,
  reason?: string,
): Promise<Exemption> {
  if (exemption.status === "approved") return exemption;
  if ("selector" in exemption.scope) requirePermission(ctx.env, ctx.principal, "ai-exemption:broad");
  const patch = {
    approvedBy: ctx.principal.userId,
    approvedAt: ctx.now,
    notices: noticesBy(exemption.expiresAt, ctx.now),
  };
  const move = { event: "approve" } as const;
  const involved = [...(await ownersWithin(ctx, exemption, reach)), ...(await claimantsWithin(ctx, reach))];
  const approved = await ctx.transition(exemptions, exemptionStatus, exemption, move, { reason, patch, involved });
  const replaced = await supersede(ctx, approved);
  const cover: Cover = {
    exemptionId: approved.id,
    startsAt: approved.startsAt,
    expiresAt: approved.expiresAt,
    maxSeverity: approved.maxSeverity,
    boundEvidenceDigest: approved.boundEvidenceDigest,
  };
  let matched = 0;
  for await (const batch of findingsIn(ctx.db, reach)) {
    matched += batch.length;
    if (matched > MOST_MATCHED) throw tooMany();
    const covers = (finding: Finding) => {
      const held = [...without(finding, [approved.id, replaced]), cover];
      if (areTooMany(held, ctx.now)) throw tooManyOn(finding);
      return lasting(held, ctx.now);
    };
    await recover(ctx, batch, covers, approved.id);
  }
  return approved;
}

/** The owners of the assets whose findings it takes in. */
async function ownersWithin(ctx: Context, { onAssetId }: Exemption, { selected }: Reach): Promise<string[]> {
  const ids = onAssetId === null ? [...(selected ?? [])] : [onAssetId];
  const rows = await inChunks(ids, (some) => ctx.db.getMany(assets, some));
  return rows.flatMap(({ value }) => (value.owner ? [value.owner.id] : []));
}

/** Who claimed a fix of a finding that it takes in. */
async function claimantsWithin(ctx: Context, reach: Reach): Promise<string[]> {
  const claimants = new Set<string>();
  for await (const batch of findingsIn(ctx.db, reach))
    for (const id of batch.flatMap(({ involved }) => involved.ids)) claimants.add(id);
  return [...claimants];
}

/**
 * Revokes an approved exemption. Its findings lose its cover in the same transaction, and other exemptions may cover
 * them.
 */
export async function revokeExemption(ctx: Context, exemption: Exemption, reason?: string): Promise<Exemption> {
  if (exemption.status === "revoked") return exemption;
  const patch = { revokedBy: ctx.principal.userId, revokedAt: ctx.now, revokedReason: reason ?? null };
  const move = { event: "revoke" } as const;
  const revoked = await ctx.transition(exemptions, exemptionStatus, exemption, move, { reason, patch });
  for await (const batch of findingsIn(ctx.db, exemption, true)) {
    const covered = batch.filter(({ covers }) => covers.some(({ exemptionId }) => exemptionId === revoked.id));
    await recover(ctx, covered, (finding) => without(finding, [revoked.id]), revoked.id);
  }
  return revoked;
}

export function rejectExemption(ctx: Context, exemption: Exemption, reason?: string): Promise<Exemption> {
  return ctx.transition(exemptions, exemptionStatus, exemption, { to: "rejected" }, { reason });
}

/** Withdraws a request before it is decided. Another's request takes the permission to decide on it. */
export async function withdrawExemption(ctx: Context, exemption: Exemption, reason?: string): Promise<Exemption> {
  if (exemption.requestedBy !== ctx.principal.userId) requirePermission(ctx.env, ctx.principal, "ai-exemption:approve");
  return ctx.transition(exemptions, exemptionStatus, exemption, { to: "withdrawn" }, { reason });
}

/** Ends the renewed exemption if it is active and the renewal has begun. Returns its id. */
async function supersede(ctx: Context, { renewalOf, startsAt }: Exemption): Promise<string | null> {
  const row = renewalOf === null || startsAt > ctx.now ? undefined : await ctx.db.get(exemptions, renewalOf);
  if (!row || exemptionState(row.value, ctx.now) !== "active") return null;
  const options = { triggeredBy: "policy", reason: "A renewal was approved." } as const;
  const { id } = await ctx.transition(exemptions, exemptionStatus, row.value, { event: "supersede" }, options);
  return id;
}

/** The covers of a finding without those of these exemptions. */
export function without({ covers }: Finding, ids: Iterable<string | null>): Cover[] {
  const gone = new Set(ids);
  return covers.filter(({ exemptionId }) => !gone.has(exemptionId));
}

async function recover(
  ctx: Context,
  batch: readonly Finding[],
  covers: (finding: Finding) => Cover[],
  exemptionId: string,
): Promise<void> {
  const changes = batch.map((before) => ({ before, patch: { covers: covers(before) } }));
  await changeFindings(ctx, changes, { exemptionId, triggeredBy: "user" });
}
