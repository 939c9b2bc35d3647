import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { timestamp } from "#ports/clock.js";
import type { Row } from "#store/row.js";
import { HOLD, HOLDS, isReserved } from "./rules.js";
import { type ClaimedSubdomain, subdomains } from "./schema.js";

/** A former name of another tenant whose hold has expired. Whoever claims the name deletes the row. */
export type Outdated = Row<ClaimedSubdomain> | undefined;

/** 409 for a name that nobody can register. */
export function refuseReserved(subdomain: string): void {
  if (isReserved(subdomain)) throw new ReeveError("already_exists", "This subdomain is reserved.");
}

/**
 * Runs before the transaction. 409 for a name that is held for its former tenant. A name in use fails on the unique key
 * instead.
 */
export async function outdatedHold(ctx: ReadContext, subdomain: string, tenantId: string): Promise<Outdated> {
  const row = await ctx.env.store.platform.get(subdomains, subdomain);
  if (!row || row.tenantId === tenantId || row.value.heldUntil === null) return undefined;
  if (row.value.heldUntil <= ctx.now) return row;
  throw new ReeveError("already_exists", "This subdomain is taken.", { members: { key: "subdomain" } });
}

/** Claims the name for the tenant, within the transaction. The tenant may reclaim its own former name. */
export async function claimSubdomain(ctx: Context, subdomain: string, outdated: Outdated): Promise<void> {
  if (outdated) await ctx.on(outdated.tenantId).remove(subdomains, outdated.value);
  const own = (await ctx.db.get(subdomains, subdomain))?.value;
  if (own) await ctx.update(subdomains, own, { heldUntil: null });
  else await ctx.insert(subdomains, { id: subdomain, heldUntil: null });
}

/**
 * Releases a name, within the transaction. It is held for a while before others can claim it. 409 `in_use` when too
 * many are held.
 */
export async function releaseSubdomain(ctx: Context, subdomain: string): Promise<void> {
  const taken = await ctx.db.scan(subdomains, { size: 1_000 });
  const ends = taken.flatMap(({ value }) => value.heldUntil ?? []).filter((end) => end > ctx.now);
  if (ends.length >= HOLDS) {
    const first = ends.sort()[0];
    throw new ReeveError("in_use", `${HOLDS} former subdomains are held for the tenant, the first until ${first}.`);
  }
  const own = taken.find(({ id }) => id === subdomain);
  if (!own) throw new Error(`the subdomain ${subdomain} is not registered`);
  const heldUntil = timestamp(ctx.request.nowMs + HOLD);
  await ctx.update(subdomains, own.value, { heldUntil });
}
