import { ConnectorError } from "#connectors/index.js";
import { instances } from "#families/connectors/index.js";
import type { Environment } from "#kernel/config/environment.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { ask } from "./confirm/ask.js";
import { confirmSuspected } from "./confirm/confirm.js";
import { readCredentials } from "./credentials/credentials.js";
import { readGrants } from "./grants/grants.js";
import { resolveUnseen } from "./resolve-scan.js";
import { countMissing, noteMissing } from "./scan-absence.js";
import { compareRecords } from "./scan-records.js";
import { accessDriftScans, type DriftScanRun } from "./schema.js";

/** Does the next step of a scan, whatever phase it is in. Rejects with `ConnectorError` when it cannot be done. */
export async function nextStep(env: Environment, tenantId: string, run: DriftScanRun): Promise<DriftScanRun> {
  const ctx = systemContext(env, tenantId, "drift");
  if (run.phase === "counting") return countMissing(ctx, run);
  if (run.phase === "missing") return noteMissing(ctx, run);
  if (run.phase === "records") return compareRecords(ctx, run);
  if (run.phase === "resolving") return resolveUnseen(ctx, run);
  const scan = await ctx.getOrThrow(accessDriftScans, run.scanId);
  const instance = (await ctx.db.get(instances, scan.connectorInstanceId))?.value;
  const connector = instance && env.connectors.get(instance.providerKey);
  if (!connector) throw new ConnectorError("config", "The instance is gone.", { code: "instance_gone" });
  const target = { instanceId: instance.id, connector };
  if (run.phase === "asking") return ask(ctx, run, target);
  if (run.phase === "credentials") return readCredentials(ctx, run, target);
  return run.phase === "grants" ? readGrants(ctx, run, target) : confirmSuspected(ctx, run, target);
}
