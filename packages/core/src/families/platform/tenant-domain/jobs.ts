import type { Environment } from "#kernel/config/environment.js";
import { forEachDue } from "#kernel/operation/due-records.js";
import type { DueState } from "#kernel/operation/dues.js";
import { subdomains } from "../subdomains/schema.js";
import { tenants } from "../tenants/schema.js";
import { checkAlias, isChecked } from "./check-domain.js";

/** When a tenant's alias is to be checked. A new tenant is looked at once in any case. */
export const aliasDue: DueState = {
  watches: [tenants],
  async next(_env, reader) {
    const held = (await reader.get(tenants, reader.tenantId))?.value;
    return held && isChecked(held) ? (held.alias?.nextCheckAt ?? null) : null;
  },
};

/**
 * Checks a tenant's alias when that is due, and releases former subdomains whose hold has expired. Returns how many of
 * both.
 */
export async function runDomainJobs(env: Environment, tenantId: string, now: string): Promise<number> {
  const found = await checkAlias(env, tenantId, false);
  const over = { by: "heldUntil", before: now };
  const freed = await forEachDue(env, subdomains, over, tenantId, (ctx, held) => ctx.remove(subdomains, held));
  return freed + (found === undefined ? 0 : 1);
}
