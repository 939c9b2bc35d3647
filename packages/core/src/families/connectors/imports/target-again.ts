import { ReeveError } from "#kernel/http/errors.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { refusalOf } from "../calls/run/refusal.js";
import { instances } from "../instances/schema.js";
import { connectorImportRuns, connectorImports } from "./schema.js";
import { identityNow } from "./target-identity.js";

/**
 * Looks again which system answers, before a plan is confirmed. 409 for another one than was listed, and where nobody can
 * tell. A plan that waits for no confirmation is not looked at.
 */
export async function requireSameSystem(ctx: ReadContext, importId: string): Promise<void> {
  const job = (await ctx.db.get(connectorImports, importId))?.value;
  const run = (await ctx.db.lookup(connectorImportRuns, "import", { importId }))?.value;
  const instance = job && (await ctx.db.get(instances, job.connectorInstanceId))?.value;
  if (!run || !instance || job?.status !== "awaiting_confirmation") return;
  const { tenantId } = ctx.principal;
  const identity = await identityNow(ctx.env, tenantId, instance, ctx.request.requestId).catch((error: unknown) => {
    const refusal = refusalOf(error);
    if (ReeveError.is(refusal) && refusal.code === "connector_error")
      throw new ReeveError("connection_test_failed", refusal.message);
    throw refusal;
  });
  if (identity !== run.target)
    throw new ReeveError(
      "target_identity_changed",
      "It does not lead to the system that the plan is of. Import again.",
    );
}
