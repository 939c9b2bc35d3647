import { PLATFORM_TENANT, tenantRegistry } from "#families/platform/index.js";
import { defineService, type Environment } from "#kernel/config/environment.js";
import { hasUnknownMigrations } from "#kernel/config/unknown-migrations.js";
import { type Due, dueBy } from "#kernel/operation/dues.js";
import { dropThrough, dueByAge } from "#kernel/operation/retention.js";
import { timestamp } from "#ports/clock.js";
import { minutesMs } from "#ports/durations.js";
import { beginErasure } from "./begin-erasure.js";
import { eraseSome } from "./erase-tenant.js";

/** Milliseconds from the begin of an erasure to its first deletion: what other processes may know and run ends meanwhile. */
const SETTLING = minutesMs(1);
/** Tenants looked at in one tick, and transactions of deletion in it. */
const TENANTS = 100;
const STEPS = 200;

/** When a tenant is to be erased. Both are found in the registry, which belongs to the platform. */
export const erasureDues: readonly Due[] = [
  dueByAge("closedTenants", tenantRegistry, "statusChangedAt", { status: "closed" }),
  dueBy(tenantRegistry, "statusChangedAt", { where: { status: "erasing" }, after: () => SETTLING }),
];

/** Whether this process has told that erasure waits. */
const waiting = defineService("support.erasureWaits", () => ({ isReported: false }));

/**
 * Erases tenants that were closed for longer than their grace, some at a time. Returns in how many steps. It leaves them
 * to a newer version when the database may have rows that this one does not know, which no certificate may pass over.
 */
export async function eraseClosedTenants(env: Environment, tenantId: string, now: string): Promise<number> {
  if (tenantId !== PLATFORM_TENANT) return 0;
  let steps = 0;
  const closedBy = dropThrough(env, "closedTenants");
  for (const id of closedBy === undefined ? [] : await found(env, "closed", closedBy)) {
    if (await isLeft(env)) return steps;
    if (await beginErasure(env, id, closedBy as string)) steps += 1;
  }
  const begun = timestamp(Date.parse(now) - SETTLING);
  let left = STEPS;
  for (const id of await found(env, "erasing", begun)) {
    for (let done = false; !done && left > 0; left -= 1, steps += 1) {
      if (await isLeft(env)) return steps;
      done = await eraseSome(env, id);
    }
  }
  return steps;
}

/** Whether erasure is left to a newer version. */
async function isLeft(env: Environment): Promise<boolean> {
  if (!(await hasUnknownMigrations(env))) return false;
  const reported = env.use(waiting);
  if (!reported.isReported) {
    env.logger.warn({}, "closed tenants wait for a newer version to erase them, as the database has migrations of it");
  }
  reported.isReported = true;
  return true;
}

/** Tenants that have this status since then or longer, the first ones first. */
async function found(env: Environment, status: string, through: string): Promise<string[]> {
  const order = { by: "statusChangedAt", direction: "asc" } as const;
  const query = { where: { status }, order, range: { through }, size: TENANTS };
  return (await env.store.forTenant(PLATFORM_TENANT).find(tenantRegistry, query)).rows.map(({ id }) => id);
}
