import { boundedSettings } from "#families/platform/index.js";
import type { Environment } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";
import { forEachDue } from "#kernel/operation/due-records.js";
import type { FourEyesCheck } from "#kernel/operation/four-eyes.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { minutesMs } from "#ports/durations.js";
import { factorProofs } from "./schema.js";

/** Refuses a decision that takes two people, where the tenant wants a second factor for it and none was proven lately. */
export const checkStepUp: FourEyesCheck = async (ctx: ReadContext, { act }): Promise<boolean> => {
  const { stepUpMinutes } = await boundedSettings(ctx);
  if (stepUpMinutes !== null && ctx.principal.kind === "user") await requireProof(ctx, stepUpMinutes, `"${act}"`);
  return false;
};

/**
 * 403 `step_up_required` unless the caller has proven a second factor in the last minutes. A sign-in of which that is not
 * known, such as one of the host that says nothing of it, has not.
 */
export async function requireProof(ctx: ReadContext, minutes: number, what: string): Promise<void> {
  if ((await provenAt(ctx)) > ctx.request.nowMs - minutesMs(minutes)) return;
  throw new ReeveError(
    "step_up_required",
    `${what} takes a second factor that was proven in the last ${minutes} minutes.`,
    { members: { withinMinutes: minutes } },
  );
}

/** When the caller last proved a second factor within this sign-in, in milliseconds since the epoch; 0 for never. */
async function provenAt(ctx: ReadContext): Promise<number> {
  const { withFactor, authenticatedAt = 0, tokenId } = ctx.principal;
  const row = tokenId === undefined ? undefined : await ctx.db.get(factorProofs, tokenId);
  return Math.max(withFactor ? authenticatedAt : 0, row ? Date.parse(row.value.provenAt) : 0);
}

/** Deletes proofs of sign-ins that are over. Returns how many. */
export async function dropOldProofs(env: Environment, tenantId: string, now: string): Promise<number> {
  return forEachDue(env, factorProofs, { by: "expiresAt", before: now }, tenantId, (ctx, proof) =>
    ctx.remove(factorProofs, proof),
  );
}
