import { ConnectorError, type DiscoveredAsset, type Page } from "../../../../connectors/index.js";
import type { Environment } from "../../../../kernel/config/environment.js";
import { ReeveError } from "../../../../kernel/http/errors.js";
import { systemContext } from "../../../../kernel/operation/system-context.js";
import { principals } from "../../../identity/index.js";
import { instanceParts } from "../../calls/parts/parts.js";
import { connectorCalls } from "../../calls/run/calls.js";
import type { ConnectorInstance } from "../../instances/schema.js";
import { otherTarget } from "../../testing/run/report.js";
import { runTest } from "../../testing/run/run.js";
import { applyLines } from "../apply/apply.js";
import { lookForMissing } from "../discover/absence.js";
import { type Lister, readListing } from "../discover/listing.js";
import { connectorImports, type ImportRun } from "../schema.js";
import { requireInstance } from "./instance.js";

/** Does the next step of an import, whatever phase it is in. Rejects with `ConnectorError` when it cannot be done. */
export async function nextStep(env: Environment, tenantId: string, run: ImportRun): Promise<ImportRun> {
  const ctx = systemContext(env, tenantId, "import");
  const job = await ctx.getOrThrow(connectorImports, run.importId);
  const instance = await requireInstance(ctx, job.connectorInstanceId);
  if (run.phase === "listing") {
    if (run.trail.pages === 0) await requireSameTarget(env, tenantId, instance, job.id);
    const list = listerOf(env, tenantId, instance, job.id);
    return readListing(ctx, run, { name: instance.name, list });
  }
  if (run.phase === "missing") return lookForMissing(ctx, run);
  const principal = await confirmerOf(env, tenantId, job.confirmedBy ?? job.createdBy);
  const origin = { connectorInstanceId: instance.id, name: instance.name, at: job.startedAt ?? job.createdAt };
  return applyLines(ctx, run, { principal, origin });
}

/** Who confirmed a plan, with the rights of now. */
async function confirmerOf(env: Environment, tenantId: string, userId: string) {
  const principal = await env
    .use(principals)
    .of(tenantId, userId)
    .catch((error: unknown) => {
      if (ReeveError.is(error)) return undefined;
      throw error;
    });
  if (principal?.permissions.has("ai-asset:write")) return principal;
  const message = "Whoever confirmed it may not register assets any more.";
  throw new ConnectorError("permission", message, { code: "confirmer_without_right" });
}

/** Rejects where another system answers: its ids would be taken for those of what is known. */
async function requireSameTarget(
  env: Environment,
  tenantId: string,
  instance: ConnectorInstance,
  importId: string,
): Promise<void> {
  const connector = env.connectors.get(instance.providerKey);
  if (!connector || !instance.target || instance.status !== "active") return;
  const { report } = await runTest(env, connector, instanceParts(env, tenantId, instance, connector), importId);
  if (!otherTarget(instance.target, report)) return;
  throw new ConnectorError("config", "Another system answers than before.", { code: "target_identity_changed" });
}

/** Lists the assets of an instance, page by page. */
function listerOf(env: Environment, tenantId: string, { id: instanceId }: ConnectorInstance, importId: string): Lister {
  return (page) => {
    const idempotencyKey = `${importId} ${page.cursor ?? ""}`;
    const call = { tenantId, instanceId, capability: "discover", correlationId: importId, idempotencyKey } as const;
    return env.use(connectorCalls).call(call, async (connector, ctx) => {
      const listed = await connector.discoverAssets?.(ctx, page);
      return listed as Page<DiscoveredAsset>;
    });
  };
}
