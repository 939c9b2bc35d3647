import type { ConnectorError } from "#connectors/error.js";
import type { Environment } from "#kernel/config/environment.js";
import type { Context } from "#kernel/operation/context.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { type ConnectorInstance, instances } from "../schema.js";
import { instanceHealth } from "./machine.js";
import { instanceStreaks } from "./schema.js";
import { after, NO_STREAK, type Streak, type Verdict } from "./streak.js";

/** What a call has told about an instance. */
export interface Noted {
  readonly verdict: Verdict;
  readonly failure?: ConnectorError | undefined;
  readonly isTest?: boolean;
}

/**
 * Counts what a call has told towards the health of an instance. Writes only where something changes, and never
 * rejects, because the call itself is over.
 */
export async function noteCall(
  env: Environment,
  tenantId: string,
  { id, health }: Pick<ConnectorInstance, "id" | "health">,
  noted: Noted,
): Promise<void> {
  try {
    const streak = (await env.store.forTenant(tenantId).lookup(instanceStreaks, "instance", { instanceId: id }))?.value;
    const next = after(health, streak ?? NO_STREAK, noted.verdict, noted.isTest ?? false);
    if (next.health === health && isSame(streak ?? NO_STREAK, next.streak)) return;
    await systemContext(env, tenantId, "connector").write((ctx) => noteHealth(ctx, id, noted));
  } catch (error) {
    env.logger.warn({ tenantId, instanceId: id, error: String(error) }, "the health could not be noted");
  }
}

/** The same within a transaction. An instance in maintenance or without a record keeps its health. */
export async function noteHealth(ctx: Context, id: string, noted: Noted): Promise<ConnectorInstance | undefined> {
  const row = await ctx.db.get(instances, id);
  if (!row) return undefined;
  const instance = await ctx.current(instances, row);
  if (instance.status === "maintenance" || instance.status === "deleting") return instance;
  const held = (await ctx.db.lookup(instanceStreaks, "instance", { instanceId: id }))?.value;
  const next = after(instance.health, held ?? NO_STREAK, noted.verdict, noted.isTest ?? false);
  if (held) await ctx.update(instanceStreaks, held, next.streak);
  else if (!isSame(next.streak, NO_STREAK)) await ctx.insert(instanceStreaks, { instanceId: id, ...next.streak });
  const reason = reasonOf(noted.failure);
  const patch = { healthSince: ctx.now, healthReason: next.health === "healthy" ? null : reason };
  const reported = { triggeredBy: "connector", reason: reason?.message ?? "It was called.", patch } as const;
  return ctx.transition(instances, instanceHealth, instance, { to: next.health }, reported);
}

/** Forgets what was told before, because it says nothing of how the instance works now. */
export async function forgetHealth(
  ctx: Context,
  instance: ConnectorInstance,
  reason: string,
): Promise<ConnectorInstance> {
  await dropStreak(ctx, instance.id);
  const patch = { healthSince: ctx.now, healthReason: null };
  const reported = { triggeredBy: "connector", reason, patch } as const;
  return ctx.transition(instances, instanceHealth, instance, { to: "unknown" }, reported);
}

/** Deletes the streak of an instance. */
export async function dropStreak(ctx: Context, instanceId: string): Promise<void> {
  const held = (await ctx.db.lookup(instanceStreaks, "instance", { instanceId }))?.value;
  if (held) await ctx.remove(instanceStreaks, held);
}

const isSame = (one: Streak, other: Streak) => one.failures === other.failures && one.successes === other.successes;

const reasonOf = (failure: ConnectorError | undefined) =>
  failure ? { errorClass: failure.errorClass, code: failure.code ?? null, message: failure.message } : null;
