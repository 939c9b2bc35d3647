import { z } from "zod";
import { defineCollection } from "../../../../kernel/collection.js";
import { forEachDue } from "../../../../kernel/due-records.js";
import type { Environment } from "../../../../kernel/environment.js";
import { Time } from "../../../../kernel/record.js";

const UsedAssertion = z.object({ id: z.string(), version: z.int().min(1), createdAt: Time, expiresAt: Time });
export type UsedAssertion = z.output<typeof UsedAssertion>;

/** Client assertions that have been used, by a hash of client and `jti`; kept until they have expired. */
export const usedAssertions = defineCollection<UsedAssertion>({
  name: "used_assertions",
  prefix: null,
  schema: UsedAssertion,
  fields: { expiresAt: { type: "time" } },
  secrets: [],
  indexes: [{ where: [], by: "expiresAt" }],
});

/** Forgets what has expired; returns how many. */
export async function dropUsedAssertions(env: Environment, tenantId: string, now: string): Promise<number> {
  return forEachDue(env, usedAssertions, { by: "expiresAt", before: now }, tenantId, (ctx, used) =>
    ctx.remove(usedAssertions, used),
  );
}
