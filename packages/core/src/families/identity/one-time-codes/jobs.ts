import type { Environment } from "#kernel/config/environment.js";
import { forEachDue } from "#kernel/operation/due-records.js";
import { addressProofs, oneTimeCodes } from "./schema.js";

/** Deletes expired codes and proofs. Returns how many. */
export async function dropOldCodes(env: Environment, tenantId: string, now: string): Promise<number> {
  const due = { by: "expiresAt", before: now };
  const codes = await forEachDue(env, oneTimeCodes, due, tenantId, (ctx, row) => ctx.remove(oneTimeCodes, row));
  const proofs = await forEachDue(env, addressProofs, due, tenantId, (ctx, row) => ctx.remove(addressProofs, row));
  return codes + proofs;
}
