import { boundedSettingsOf, platformGates, tenants } from "#families/platform/index.js";
import type { Environment } from "#kernel/config/environment.js";
import type { Context } from "#kernel/operation/context.js";
import { forEachDue } from "#kernel/operation/due-records.js";
import type { Reader } from "#store/store.js";
import { hasFactor } from "./rules.js";
import { type SecondFactor, secondFactors } from "./schema.js";

/** A person has few: the recovery codes, two of one-time passwords, some passkeys. */
const MOST = 50;

/** All factors of a person, with those that wait to be confirmed. */
export async function allFactors(db: Reader, userId: string): Promise<SecondFactor[]> {
  const { rows } = await db.find(secondFactors, { where: { userId }, size: MOST });
  return rows.map(({ value }) => value);
}

/** The factors of a person that count. */
export async function factorsOf(db: Reader, userId: string): Promise<SecondFactor[]> {
  return (await allFactors(db, userId)).filter(({ confirmedAt }) => confirmedAt !== null);
}

/** The factor of this kind that waits to be confirmed. */
export async function pendingFactor(
  db: Reader,
  userId: string,
  kind: SecondFactor["kind"],
  now: string,
): Promise<SecondFactor | undefined> {
  const factors = await allFactors(db, userId);
  return factors.find((one) => one.kind === kind && one.confirmedAt === null && (one.expiresAt ?? "") > now);
}

/** Whether a tenant demands a second factor of its people. Known for at most five seconds. */
export async function isRequired(env: Environment, tenantId: string): Promise<boolean> {
  const tenant = await env.use(platformGates).tenant(tenantId);
  return boundedSettingsOf(env, tenant?.settings ?? {}).secondFactor === "required";
}

/** The same as the store says, for transactions: they must not wait for a reader outside of them. */
export async function isRequiredNow(env: Environment, db: Reader): Promise<boolean> {
  const tenant = (await db.get(tenants, db.tenantId))?.value;
  return boundedSettingsOf(env, tenant?.settings ?? {}).secondFactor === "required";
}

/** Whether a person must prove a second factor to sign in: they have one, or the tenant demands it. For transactions. */
export async function isDemanded(env: Environment, db: Reader, userId: string): Promise<boolean> {
  return hasFactor(await factorsOf(db, userId)) || isRequiredNow(env, db);
}

/** Removes all factors of a person, within the transaction. Returns how many counted. */
export async function dropFactors(ctx: Context, userId: string): Promise<number> {
  const factors = await allFactors(ctx.db, userId);
  for (const factor of factors) await ctx.remove(secondFactors, factor);
  return factors.filter(({ confirmedAt }) => confirmedAt !== null).length;
}

/** Deletes factors that were never confirmed. Returns how many. */
export async function dropUnconfirmed(env: Environment, tenantId: string, now: string): Promise<number> {
  return forEachDue(env, secondFactors, { by: "expiresAt", before: now }, tenantId, (ctx, factor) =>
    ctx.remove(secondFactors, factor),
  );
}
