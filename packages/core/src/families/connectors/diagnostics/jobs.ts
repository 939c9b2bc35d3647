import { optionsOf } from "#families/options.js";
import type { Environment } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { leaseDue } from "#kernel/operation/lease-due.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { timestamp } from "#ports/clock.js";
import { minutesMs } from "#ports/durations.js";
import { forgetHealth } from "../instances/health/note.js";
import { type ConnectorInstance, instances } from "../instances/schema.js";
import { recordTest, testInstance } from "./run-diagnostics.js";
import { isSilent, nextDue } from "./schedule-diagnostics.js";
import { type ConnectorCheckup, connectorCheckups } from "./schema.js";

/** The most connections of a tenant tested in one `tick`. */
const MOST = 256;
/** How long a process reserves a connection for a test, in milliseconds. It is longer than any test may take. */
const LEASE = minutesMs(1);

/** Tests the connections of a tenant that are due. One process tests each. Returns how many. */
export async function runDiagnosticsJobs(env: Environment, tenantId: string): Promise<number> {
  let done = 0;
  while (done < MOST) {
    const leased = await lease(env, tenantId);
    if (leased.length === 0) break;
    await Promise.all(leased.map((checkup) => testDue(env, tenantId, checkup)));
    done += leased.length;
  }
  return done;
}

function lease(env: Environment, tenantId: string): Promise<ConnectorCheckup[]> {
  const { connectorConcurrency } = optionsOf(env);
  return leaseDue(
    systemContext(env, tenantId, "tick"),
    connectorCheckups,
    "dueAt",
    connectorConcurrency,
    (ctx, checkup) => ctx.update(connectorCheckups, checkup, { dueAt: timestamp(ctx.request.nowMs + LEASE) }),
  );
}

/** Tests one connection, and plans its next test. One that could not be tested is tried again when its lease ends. */
async function testDue(
  env: Environment,
  tenantId: string,
  { id, connectorInstanceId }: ConnectorCheckup,
): Promise<void> {
  const ctx = systemContext(env, tenantId, "tick");
  try {
    const finished = await testInstance(ctx, await ctx.getOrThrow(instances, connectorInstanceId));
    await ctx.write(async (inner) => {
      await recordTest(inner, finished, "schedule");
      const held = await inner.db.get(connectorCheckups, id);
      if (held && held.value.dueAt !== null)
        await inner.update(connectorCheckups, held.value, { dueAt: nextDue(inner) });
    });
  } catch (error) {
    if (ReeveError.is(error) && error.code === "concurrent_modification") return;
    const fields = { tenantId, instanceId: connectorInstanceId, error: String(error) };
    env.logger.warn(fields, "a connection could not be tested");
    // A store that fails now is asked again with the next attempt.
    await ctx.write((inner) => doubtHealth(inner, connectorInstanceId)).catch(() => undefined);
  }
}

/** Health that says that a connection works. Of what does not, silence tells nothing better. */
const WORKS: readonly ConnectorInstance["health"][] = ["healthy", "degraded"];

/** Says of a connection that could not be tested for a while that nobody knows whether it works. */
async function doubtHealth(ctx: Context, id: string): Promise<void> {
  const instance = (await ctx.db.get(instances, id))?.value;
  if (instance?.status !== "active" || !WORKS.includes(instance.health)) return;
  if (!isSilent(instance, ctx.request.nowMs)) return;
  await forgetHealth(ctx, instance, "Nothing could test it for three intervals.");
}
