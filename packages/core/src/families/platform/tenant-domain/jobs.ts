import type { Environment } from "../../../kernel/config/environment.js";
import { forEachDue } from "../../../kernel/operation/due-records.js";
import { subdomains } from "../subdomains/schema.js";
import { checkAlias } from "./check/check.js";

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
