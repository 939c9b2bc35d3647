import { type AccessAssignment, accessAssignments } from "#families/access-grants/index.js";
import type { Context } from "#kernel/operation/context.js";
import { minutesMs } from "#ports/durations.js";
import { type AccessUse, accessUses } from "./schema.js";
import { countUses } from "./tally-usage.js";

/** A use before it is stored. */
export type UseDraft = Omit<AccessUse, "id" | "version" | "createdAt">;

/** The least time between two writes of the last use of an assignment, in milliseconds. */
const THROTTLE = minutesMs(1);

/** Outcomes with which access was used, whatever came of it. */
const USING: ReadonlySet<AccessUse["outcome"]> = new Set(["success", "error", "timeout", "unknown"]);

/** Stores uses. What they say of assignments is stored with them. */
export async function recordUses(ctx: Context, drafts: readonly UseDraft[]): Promise<readonly AccessUse[]> {
  const stored = await ctx.insertMany(accessUses, drafts, { event: false });
  await settleUses(ctx, stored);
  return stored;
}

/** Counts uses whose outcome is known now, and advances the last use of their assignments. */
export async function settleUses(ctx: Context, uses: readonly AccessUse[]): Promise<void> {
  const counting = uses.filter(({ synthetic, outcome }) => !synthetic && outcome !== "started");
  if (counting.length === 0) return;
  await countUses(ctx, counting);
  const last = new Map<string, string>();
  for (const { assignmentId, at, outcome } of counting)
    if (assignmentId !== null && USING.has(outcome) && at > (last.get(assignmentId) ?? "")) last.set(assignmentId, at);
  if (last.size === 0) return;
  for (const { value } of await ctx.db.getMany(accessAssignments, [...last.keys()]))
    await noteUse(ctx, value, last.get(value.id) as string);
}

async function noteUse(ctx: Context, one: AccessAssignment, at: string): Promise<void> {
  const lastUsedAt = at < ctx.now ? at : ctx.now;
  const before = one.lastUsedAt === null ? Number.NEGATIVE_INFINITY : Date.parse(one.lastUsedAt);
  if (Date.parse(lastUsedAt) - before < THROTTLE) return;
  await ctx.update(accessAssignments, one, { lastUsedAt }, { event: false, copy: true });
}
