import type { Environment } from "#kernel/config/environment.js";
import { forEachDue } from "#kernel/operation/due-records.js";
import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

const UsedAssertion = z.object({ id: z.string(), version: z.int().min(1), createdAt: Time, expiresAt: Time });
export type UsedAssertion = z.output<typeof UsedAssertion>;

/** Used client assertions, by a hash of client and `jti`, and states of OpenID sign-ins, until they have expired. */
export const usedAssertions = defineCollection<UsedAssertion>({
  name: "used_assertions",
  prefix: null,
  schema: UsedAssertion,
  fields: { expiresAt: { type: "time" } },
  secrets: [],
  indexes: [{ where: [], by: "expiresAt" }],
});

/** Deletes expired assertions. Returns how many. */
export async function dropUsedAssertions(env: Environment, tenantId: string, now: string): Promise<number> {
  return forEachDue(env, usedAssertions, { by: "expiresAt", before: now }, tenantId, (ctx, used) =>
    ctx.remove(usedAssertions, used),
  );
}
