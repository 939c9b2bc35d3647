import { ConnectorError, type ObservedProfile, type ObservedResource, type Page } from "#connectors/index.js";
import { connectorCalls, instances } from "#families/connectors/index.js";
import type { Environment } from "#kernel/config/environment.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { continueSync, toNextPhase } from "./continue-sync.js";
import { readProfiles } from "./read-profiles.js";
import { readResources } from "./read-resources.js";
import { accessSyncs, type SyncRun, type TypeProgress } from "./schema.js";
import { countMissing, markMissing, withdrawProfiles } from "./sync-absence.js";

/** Does the next step of a sync, whatever phase it is in. Rejects with `ConnectorError` when it cannot be done. */
export async function nextStep(env: Environment, tenantId: string, run: SyncRun): Promise<SyncRun> {
  const ctx = systemContext(env, tenantId, "sync");
  if (run.phase === "counting") return countMissing(ctx, run);
  if (run.phase === "missing") return markMissing(ctx, run);
  if (run.phase === "withdrawn") return withdrawProfiles(ctx, run);
  const sync = await ctx.getOrThrow(accessSyncs, run.syncId);
  const instance = (await ctx.db.get(instances, sync.connectorInstanceId))?.value;
  const connector = instance && env.connectors.get(instance.providerKey);
  if (!connector) throw new ConnectorError("config", "The instance is gone.", { code: "instance_gone" });
  const { resourceType: type } = sync.perType[run.type] as TypeProgress;
  const call = { tenantId, instanceId: instance.id, correlationId: sync.id } as const;
  if (run.phase === "resources")
    return readResources(ctx, run, type, (of, page) =>
      env
        .use(connectorCalls)
        .call(
          { ...call, capability: "resources", idempotencyKey: `${sync.id} ${page.cursor ?? ""}` },
          async (on, to) => {
            const listed = await on.listResources?.(to, of, page);
            return listed as Page<ObservedResource>;
          },
        ),
    );
  if (!connector.listAccessProfiles)
    return ctx.write((inner) => continueSync(inner, run, (now, lease) => toNextPhase(inner, now, run, lease)));
  return readProfiles(ctx, run, {
    manifest: connector.manifest,
    type,
    list: (resourceType, resource, page) =>
      env
        .use(connectorCalls)
        .call(
          { ...call, capability: "profiles", idempotencyKey: `${sync.id} ${page.cursor ?? ""}` },
          async (on, to) => {
            const query = { resourceType, ...(resource ? { resource } : {}) };
            const listed = await on.listAccessProfiles?.(to, query, page);
            return listed as Page<ObservedProfile>;
          },
        ),
  });
}
