import { accessResources } from "#families/access/index.js";
import {
  type AccessAssignment,
  accessAssignments,
  assignmentStatus,
  wakeReconciliation,
} from "#families/access-grants/index.js";
import { factsOf, involvedInAccess } from "#families/access-reviews/index.js";
import { subjectOf } from "#kernel/events/record-events.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { defineFourEyes, requireFourEyes } from "#kernel/operation/four-eyes.js";
import { NONE_INVOLVED } from "#kernel/records/involved.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import type { Look } from "./verify-assignment.js";

export const attestEnd = defineFourEyes("accessAssignment: attest", "Saying that a target has access no more");

export const AttestRequest = z
  .strictObject({
    evidence: z.string().trim().min(10).max(2_000).meta({ description: "What shows that the target has none of it." }),
    ticketRef: z.string().trim().min(1).max(200).optional().meta({ description: "A ticket in another system." }),
    seenAt: Time.optional().meta({ description: "When that was seen; now when absent." }),
  })
  .meta({
    id: "AccessAttestation",
    example: { evidence: "Removed by hand in the console, the list of members shows it.", ticketRef: "OPS-1" },
  });

/**
 * Notes that people have seen the access gone, where the target does not confirm it. What is critical takes two of them.
 * Where the target itself says so now, it is asked instead, and where it says otherwise this is refused with 409.
 */
export async function attest(
  ctx: Context,
  id: string,
  body: z.output<typeof AttestRequest>,
  look: Look,
): Promise<AccessAssignment> {
  const one = await ctx.getForUpdate(accessAssignments, id);
  if (look.presence === "present" || look.presence === "mismatch")
    throw new ReeveError("transition_guard_failed", "The target has it still, and says so.");
  if (look.presence === "absent" && look.authoritative && one.status === "revoke_failed") {
    await wakeReconciliation(ctx, one.grantKey, undefined);
    return one;
  }
  const earlier = one.status === "revoke_failed" ? one.attestation : null;
  await requireAnother(ctx, one, earlier);
  const { evidence, ticketRef = null, seenAt = ctx.now } = body;
  const word = { by: ctx.principal.userId, at: ctx.now, evidence, ticketRef, seenAt };
  if (one.status === "revoke_failed" && !earlier && (await isCritical(ctx, one))) {
    const event = { type: "access.assignment.attestation_asked", data: { evidence, ticketRef } };
    return ctx.update(accessAssignments, one, { attestation: { ...word, second: null } }, { event });
  }
  const attestation = earlier ? { ...earlier, second: word } : { ...word, second: null };
  const options = { reason: evidence, patch: { attestation } };
  return ctx.transition(accessAssignments, assignmentStatus, one, { event: "attest" }, options);
}

/** 403 for those whose access it is or was asked for by, and for who has attested it before. */
async function requireAnother(ctx: Context, one: AccessAssignment, earlier: AccessAssignment["attestation"]) {
  const facts = await factsOf(ctx, [one]);
  const involved = involvedInAccess(one, facts(one));
  await requireFourEyes(ctx, {
    act: attestEnd.act,
    subject: subjectOf(accessAssignments, one.id),
    name: one.name,
    involved: { ...NONE_INVOLVED, ids: earlier ? [...involved, earlier.by] : involved },
    related: accessAssignments.related?.(one) ?? [],
  });
}

async function isCritical(ctx: Context, { riskLevel, resourceId }: AccessAssignment): Promise<boolean> {
  if (riskLevel === "critical") return true;
  return (await ctx.db.get(accessResources, resourceId))?.value.sensitivity === "critical";
}
