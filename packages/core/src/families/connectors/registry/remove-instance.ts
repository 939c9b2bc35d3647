import type { Environment } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";
import { type Context, requireReason } from "#kernel/operation/context.js";
import { NEVER } from "#kernel/operation/dues.js";
import { isQuiet } from "#kernel/operation/first-dues.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { dropStates } from "../calls/parts/state.js";
import { configurationVersions } from "../configurations/schema.js";
import { dropLinks, endWaiting } from "../imports/forget-assets.js";
import { dropStreak } from "../instances/health/note.js";
import { dropSecrets } from "../instances/instance-secrets.js";
import { instanceStatus } from "../instances/machine.js";
import { holdersOf, instanceHolders, type RemovalMode } from "../instances/remove-holders.js";
import { type ConnectorInstance, instances } from "../instances/schema.js";

const PAGE = 100;
/** The most transactions of a tenant in one `tick` that remove something. */
const BATCHES = 64;

/** How somebody deletes an instance. */
export interface Removal {
  readonly reason: string | undefined;
  readonly mode: RemovalMode | undefined;
}

/**
 * Deletes an instance with its secrets, at once or when what is under way has ended. 409 while something needs it, unless
 * a mode says what becomes of that.
 */
export async function removeInstance(
  ctx: Context,
  instance: ConnectorInstance,
  { reason, mode }: Removal,
): Promise<void> {
  if (mode) await endHeld(ctx, instance, mode, requireReason(reason, { parameter: "reason" }));
  else await requireUnheld(ctx, instance.id);
  const reported = { triggeredBy: "system", reason: reason ?? "Somebody deleted it." } as const;
  const leaving = await ctx.transition(instances, instanceStatus, instance, { to: "deleting" }, reported);
  await endWaiting(ctx, instance.id, { event: "cancel", reason: "Its connection was deleted." });
  if ((await isFree(ctx, instance.id)) && (await dropLinks(ctx, instance.id))) await wipe(ctx, leaving, reason);
}

async function requireUnheld(ctx: Context, id: string): Promise<void> {
  const { live } = await holdersOf(ctx, id);
  if (Object.keys(live).length === 0) return;
  const listed = Object.entries(live).map(([what, count]) => `${count} ${what}`);
  throw new ReeveError("has_active_assignments", `It is needed by ${listed.join(", ")}.`, { members: { live } });
}

async function endHeld(ctx: Context, instance: ConnectorInstance, mode: RemovalMode, reason: string): Promise<void> {
  const { live } = await holdersOf(ctx, instance.id);
  const message = "It is only observed, so nothing can be revoked there. Have it managed, or send the mode `orphan`.";
  const isObserved = mode === "revoke_first" && instance.governanceMode === "observe";
  if (isObserved && Object.keys(live).length > 0)
    throw new ReeveError("has_active_assignments", message, { members: { live } });
  for (const holder of ctx.env.use(instanceHolders)) await holder.end?.(ctx, instance, mode, reason);
}

async function isFree(ctx: Context, id: string): Promise<boolean> {
  const { live, underWay } = await holdersOf(ctx, id);
  return underWay === 0 && Object.keys(live).length === 0;
}

/**
 * Removes the instances of a tenant that were only waiting for what was under way, with what they leave in batches.
 * Returns how many transactions that took.
 */
export async function finishRemovals(env: Environment, tenantId: string): Promise<number> {
  const where = { status: "deleting" };
  if (isQuiet(env, tenantId, instances, { where, by: "createdAt", through: NEVER })) return 0;
  const ctx = systemContext(env, tenantId, "tick");
  const { rows } = await ctx.db.find(instances, { where, size: PAGE });
  let done = 0;
  for (const { id } of rows) {
    let left: Left = "more";
    while (left === "more" && done < BATCHES) {
      left = await ctx.write((inner) => removeSome(inner, id));
      if (left !== "held") done += 1;
    }
  }
  return done;
}

/** What there is still to do for an instance that is deleted. */
type Left = "more" | "nothing" | "held";

async function removeSome(ctx: Context, id: string): Promise<Left> {
  const row = await ctx.db.get(instances, id);
  if (row?.value.status !== "deleting" || !(await isFree(ctx, id))) return "held";
  if (!(await dropLinks(ctx, id))) return "more";
  await wipe(ctx, row.value, undefined);
  return "nothing";
}

/** Removes an instance with all that belongs to it. Its events, imports and tests stay. */
async function wipe(ctx: Context, instance: ConnectorInstance, reason: string | undefined): Promise<void> {
  await dropSecrets(ctx, instance.id);
  await dropStates(ctx, instance.id);
  await dropStreak(ctx, instance.id);
  await dropVersions(ctx, instance.id);
  await ctx.remove(instances, instance, { reason });
}

async function dropVersions(ctx: Context, instanceId: string): Promise<void> {
  for (;;) {
    const { rows } = await ctx.db.find(configurationVersions, { where: { instanceId }, size: PAGE });
    for (const { value } of rows) await ctx.remove(configurationVersions, value);
    if (rows.length < PAGE) return;
  }
}
