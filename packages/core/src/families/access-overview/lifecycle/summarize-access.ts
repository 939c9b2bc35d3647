import { AccessPrincipal, accessIdentities, accessProfiles, RISK_LEVELS } from "#families/access/index.js";
import { accessUses } from "#families/access-drift/index.js";
import { accessAssignments, assignmentView, type ShownAssignment, Unknown } from "#families/access-grants/index.js";
import { factsOf } from "#families/access-reviews/index.js";
import { assets } from "#families/estate/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

/** Assignments and identities that a summary looks at. */
const ASSIGNMENTS = 500;
const IDENTITIES = 100;

export const AccessSummary = z
  .object({
    assetId: z.string().meta({ description: "Id of the asset." }),
    effective: z.int().min(0).meta({ description: "Assignments in force." }),
    profiles: z
      .array(
        z.object({
          accessProfileId: z.string().meta({ description: "The kind of access." }),
          name: z.string().meta({ description: "The name of the access profile." }),
          connectorInstanceId: z.string().meta({ description: "Id of the connection to the target." }),
          privilegeLevel: z.int().meta({ description: "From 0 to 4." }),
          riskLevel: z.enum(RISK_LEVELS).meta({ description: "How much harm it can do." }),
          assignments: z.int().meta({ description: "How many assignments in force have it." }),
        }),
      )
      .meta({ description: "Kinds of access in force, the most powerful first." }),
    maxPrivilegeLevel: z.int().nullable().meta({ description: "The highest of them; `null` without any." }),
    unknown: z
      .array(
        z.object({
          assignmentId: z.string().meta({ description: "Id of the access assignment." }),
          unknown: Unknown.meta({ description: "Why nobody can say what the target has of it." }),
        }),
      )
      .meta({ description: "Access that is not over of which it is not known whether the target has it." }),
    conflicts: z
      .array(z.string())
      .nullable()
      .meta({ description: "What of it conflicts with other access, in words; `null` is not known." }),
    identities: z
      .array(
        z.object({
          id: z.string().meta({ description: "Id of the identity." }),
          connectorInstanceId: z.string().meta({ description: "Id of the connection to the target." }),
          principal: AccessPrincipal.meta({ description: "What the asset acts as there." }),
        }),
      )
      .meta({ description: "What it acts as: the 100 latest." }),
    lastUsedAt: Time.nullable().meta({ description: "When it last used access, as far as anybody has seen." }),
    nextExpiry: z
      .object({
        assignmentId: z.string().meta({ description: "Id of the access assignment." }),
        expiresAt: Time.meta({ description: "When it ends." }),
      })
      .nullable()
      .meta({ description: "What ends next." }),
    complete: z.boolean().meta({ description: "Whether all of its access was looked at." }),
  })
  .meta({ id: "AccessSummary" });

/** What an asset can reach now. */
export async function accessSummary(ctx: ReadContext, id: string): Promise<z.output<typeof AccessSummary>> {
  const { id: assetId } = await ctx.getOrThrow(assets, id);
  const [live, identities, last] = await Promise.all([
    ctx.db.find(accessAssignments, { where: { liveFor: assetId }, size: ASSIGNMENTS }),
    ctx.db.find(accessIdentities, { where: { assetId }, size: IDENTITIES }),
    ctx.db.find(accessUses, { where: { listedFor: assetId }, order: { by: "at" }, size: 1 }),
  ]);
  const all = await Promise.all(live.rows.map((row) => ctx.derived(accessAssignments, row)).map(assignmentView(ctx)));
  const effective = all.filter((one) => one.effective);
  const profiles = await profilesOf(ctx, effective);
  const uses = [...all.map(({ lastUsedAt }) => lastUsedAt), last.rows[0]?.value.at ?? null];
  return {
    assetId,
    effective: effective.length,
    profiles,
    maxPrivilegeLevel: profiles[0]?.privilegeLevel ?? null,
    unknown: all.flatMap(({ id: assignmentId, unknown }) => (unknown ? [{ assignmentId, unknown }] : [])),
    conflicts: await conflictsOf(ctx, effective),
    identities: identities.rows.map(({ value: { id: identityId, connectorInstanceId, principal } }) => ({
      ...{ id: identityId, connectorInstanceId, principal },
    })),
    lastUsedAt:
      uses
        .filter((at) => at !== null)
        .sort()
        .at(-1) ?? null,
    nextExpiry: nextExpiryOf(effective),
    complete: !live.next,
  };
}

async function profilesOf(ctx: ReadContext, effective: readonly ShownAssignment[]) {
  const rows = await ctx.db.getMany(accessProfiles, [...new Set(effective.map((one) => one.accessProfileId))]);
  return rows
    .map(({ id: accessProfileId, value: { name, connectorInstanceId, privilegeLevel, riskLevel } }) => {
      const assignments = effective.filter((one) => one.accessProfileId === accessProfileId).length;
      return { accessProfileId, name, connectorInstanceId, privilegeLevel, riskLevel, assignments };
    })
    .sort((one, other) => other.privilegeLevel - one.privilegeLevel || (one.name < other.name ? -1 : 1));
}

async function conflictsOf(ctx: ReadContext, effective: readonly ShownAssignment[]): Promise<string[] | null> {
  const facts = await factsOf(ctx, effective);
  const known = effective.map((one) => facts(one).conflicts);
  if (known.length === 0 || known.some((some) => some === undefined)) return null;
  return [...new Set(known.flatMap((some) => some ?? []))].sort();
}

function nextExpiryOf(effective: readonly ShownAssignment[]) {
  const [next] = effective
    .flatMap(({ id: assignmentId, expiresAt }) => (expiresAt === null ? [] : [{ assignmentId, expiresAt }]))
    .sort((one, other) => (one.expiresAt < other.expiresAt ? -1 : 1));
  return next ?? null;
}
