import { accessIdentities, sharedKey } from "#families/access/index.js";
import { accessAssignments } from "#families/access-grants/index.js";
import { factsOf, involvedInAccess } from "#families/access-reviews/index.js";
import { assets } from "#families/estate/index.js";
import { subjectOf } from "#kernel/events/record-events.js";
import { invalidProperty } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { defineFourEyes, requireFourEyes } from "#kernel/operation/four-eyes.js";
import { NONE_INVOLVED } from "#kernel/records/involved.js";
import { Time } from "#kernel/records/record.js";
import { timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import { z } from "#schema/z.js";
import { accessDriftStatus } from "./machine.js";
import { type AccessDrift, accessDrift } from "./schema.js";

export const letDriftBe = defineFourEyes("accessDrift: accept", "Letting a target differ from what was granted");

/** The longest time for which a difference is let be, in days. */
const LONGEST = 365;

export const DriftAcceptance = z
  .strictObject({
    until: Time.meta({ description: `Until when it is let be, ${LONGEST} days at most.` }),
    reason: z.string().max(2_000).optional().meta({ description: "Why, for the audit trail." }),
  })
  .meta({
    id: "AccessDriftAcceptance",
    example: { until: "2026-12-31T00:00:00.000Z", reason: "The migration ends with the year." },
  });

/** Lets a difference be until a time. 403 for those whose access it is, who asked for it or who approved it alone. */
export async function acceptDrift(ctx: Context, one: AccessDrift, { until, reason }: z.output<typeof DriftAcceptance>) {
  if (until <= ctx.now || until > timestamp(ctx.request.nowMs + daysMs(LONGEST)))
    throw invalidProperty("/until", `Name a time within the next ${LONGEST} days.`);
  await requireAnother(ctx, one);
  const patch = { acceptedUntil: until, decidedBy: ctx.principal.userId };
  return ctx.transition(accessDrift, accessDriftStatus, one, { event: "accept" }, { reason, patch });
}

/** Lets a difference be until it changes. 403 as for `acceptDrift`. */
export async function suppressDrift(ctx: Context, one: AccessDrift, reason: string | undefined) {
  await requireAnother(ctx, one);
  const patch = { decidedBy: ctx.principal.userId };
  return ctx.transition(accessDrift, accessDriftStatus, one, { event: "suppress" }, { reason, patch });
}

async function requireAnother(ctx: Context, one: AccessDrift): Promise<void> {
  await requireFourEyes(ctx, {
    act: letDriftBe.act,
    subject: subjectOf(accessDrift, one.id),
    name: one.name,
    involved: { ...NONE_INVOLVED, ids: await involvedInDrift(ctx, one) },
    related: accessDrift.related?.(one) ?? [],
  });
}

/** Who has the access, or asked for it. Where nobody knows, they are those who answer for what acts as its principal. */
async function involvedInDrift(ctx: Context, one: AccessDrift): Promise<string[]> {
  const { assignmentId, principal } = one;
  const assignment = assignmentId === null ? undefined : (await ctx.db.get(accessAssignments, assignmentId))?.value;
  if (!assignment)
    return [...involvedInAccess({ principal, createdBy: "system" }, {}), ...(await behindPrincipal(ctx, one))];
  const facts = await factsOf(ctx, [assignment]);
  return involvedInAccess(assignment, facts(assignment));
}

/** The most assets that act as one principal, of which the owners are looked for. */
const ASSETS = 100;

/** Owners of the assets that act as a principal. */
async function behindPrincipal(ctx: Context, one: AccessDrift): Promise<string[]> {
  const { rows } = await ctx.db.find(accessIdentities, { where: { shared: sharedKey(one) }, size: ASSETS });
  const found = await ctx.db.getMany(assets, [...new Set(rows.map(({ value }) => value.assetId))]);
  return found.flatMap(({ value: { owner } }) => (owner?.type === "user" ? [owner.id] : []));
}
