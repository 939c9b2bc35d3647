import { KeyedCoalescer } from "#kernel/async/keyed-coalescer.js";
import { defineService } from "#kernel/config/environment.js";
import { isTimedWorkLate, lastTick } from "#kernel/config/last-tick.js";
import { ReeveError } from "#kernel/http/errors.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { PageQuery } from "#kernel/operation/page.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { z } from "#schema/z.js";
import { platformGates } from "../gates/check-gates.js";

export const Health = z
  .object({
    status: z
      .enum(["ok", "degraded"])
      .meta({ description: "`ok`: every check is well. `degraded`: requests are answered, and timed work is late." }),
    checkedAt: z.iso.datetime({ precision: 3 }).meta({ description: "When it was asked." }),
    checks: z.record(z.string(), z.enum(["ok", "engaged", "late"])).meta({ description: "Outcome by check." }),
    lastTickAt: z.iso
      .datetime({ precision: 3 })
      .nullable()
      .optional()
      .meta({ description: "When this process last did what time brings about; only of the service as a whole." }),
  })
  .meta({ id: "Health", description: "What was really asked just now; no detail beyond the outcome of each check." });

type Outcome = "ok" | "engaged" | "late";
type Check = (ctx: ReadContext) => Promise<Outcome>;

const store: Check = async (ctx) => {
  await ctx.env.store.status();
  return "ok";
};

const migrations: Check = async (ctx) => {
  const { migration } = await ctx.env.store.status();
  if (migration.applied < migration.latest) throw new Error("the schema is not the newest");
  if (migration.refused) throw new Error("the schema is newer than this code can work with");
  return "ok";
};

const writes: Check = async (ctx) => {
  const { readOnly } = await ctx.env.store.status();
  if (readOnly) throw new Error("the database takes no writes");
  return "ok";
};

const timedWork: Check = async (ctx) => ((await isTimedWorkLate(ctx.env)) ? "late" : "ok");

const agentTools: Check = async (ctx) => {
  const engaged = await ctx.env.use(platformGates).engagedSwitch(["agent_tools.execute"]);
  return engaged ? "engaged" : "ok";
};

/** Probes are not limited, so those that come during a check share the next one. */
const running = defineService("platform.probes", () => new KeyedCoalescer<Outcome>());

/** Runs checks in parallel. One failure makes the answer a 503, which lists all outcomes. */
export async function healthOf(
  ctx: ReadContext,
  checks: Readonly<Record<string, Check>>,
): Promise<z.output<typeof Health>> {
  const outcomes = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      try {
        return [name, await ctx.env.use(running).run(name, () => check(ctx))] as const;
      } catch (error) {
        ctx.env.logger.warn({ check: name, error: String(error) }, "health check failed");
        return [name, "unavailable"] as const;
      }
    }),
  );
  const failed = outcomes.filter(([, outcome]) => outcome === "unavailable").map(([name]) => name);
  if (failed.length > 0) {
    throw new ReeveError("storage_unavailable", `Not usable: ${failed.join(", ")}.`, {
      members: { checks: Object.fromEntries(outcomes) },
      headers: { "retry-after": "5" },
    });
  }
  const passed = outcomes as (readonly [string, Outcome])[];
  const status = passed.some(([, outcome]) => outcome === "late") ? "degraded" : "ok";
  return { status, checkedAt: ctx.now, checks: Object.fromEntries(passed) };
}

const success = { status: 200, schema: Health } as const;

export const monitorPing = defineOperation({
  id: "monitor.ping",
  method: "GET",
  path: "/api/v1/monitor/ping",
  tag: "System",
  summary: "Tell whether the service can do its work",
  access: "public",
  probe: true,
  query: PageQuery,
  success,
  errors: ["storage_unavailable"],
  async handler(ctx) {
    return { ...(await healthOf(ctx, { store, migrations, writes, timedWork })), lastTickAt: ctx.env.use(lastTick).at };
  },
});

export const cacheHealth = defineOperation({
  id: "cache.health",
  method: "GET",
  path: "/cache/health",
  mount: "root",
  tag: "System",
  summary: "Tell whether the caches can be filled",
  access: "public",
  probe: true,
  success,
  errors: ["storage_unavailable"],
  handler: (ctx) => healthOf(ctx, { store, killSwitches: agentTools }),
});

export const agentsHealth = defineOperation({
  id: "agents.health",
  method: "GET",
  path: "/agents/health",
  mount: "root",
  tag: "System",
  summary: "Tell whether agents can be served",
  access: "public",
  probe: true,
  success,
  errors: ["storage_unavailable"],
  handler: (ctx) => healthOf(ctx, { store, execution: agentTools }),
});
