import { ConnectorError, type DiscoveredAsset, type Page } from "#connectors/index.js";
import { RECORD_KINDS } from "#families/estate/index.js";
import { principals } from "#families/identity/index.js";
import type { Environment } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { connectorCalls } from "../../calls/run/calls.js";
import type { ConnectorInstance } from "../../instances/schema.js";
import { applyLines } from "../apply/apply.js";
import { lookForMissing } from "../discover-absence.js";
import { type Lister, readListing } from "../discover-listing.js";
import { type ConnectorImport, connectorImportRuns, connectorImports, type ImportRun } from "../schema.js";
import { identityNow, otherSystem, requireHeldTarget } from "../target-identity.js";
import { continueRun } from "./continue.js";
import { requireInstance } from "./instance.js";

/** Does the next step of an import, whatever phase it is in. Rejects with `ConnectorError` when it cannot be done. */
export async function nextStep(env: Environment, tenantId: string, run: ImportRun): Promise<ImportRun> {
  const ctx = systemContext(env, tenantId, "import");
  const job = await ctx.getOrThrow(connectorImports, run.importId);
  const instance = await requireInstance(ctx, job.connectorInstanceId);
  try {
    return await stepOf(ctx, tenantId, { run, job, instance });
  } catch (error) {
    // One that was deleted meanwhile fails in many ways, none of which passes.
    await requireInstance(ctx, instance.id);
    throw error;
  }
}

interface Stepped {
  readonly run: ImportRun;
  readonly job: ConnectorImport;
  readonly instance: ConnectorInstance;
}

async function stepOf(ctx: OutsideContext, tenantId: string, { run, job, instance }: Stepped): Promise<ImportRun> {
  const { env } = ctx;
  if (run.phase === "listing") {
    if (instance.status !== "active")
      throw new ConnectorError("config", `The instance is ${instance.status}.`, { code: "instance_not_active" });
    const { target } = run;
    if (target === null) return keepTarget(ctx, tenantId, instance, run);
    const list = listerOf(env, tenantId, instance, job.id);
    return readListing(ctx, run, { name: instance.name, target, list });
  }
  if (run.phase === "missing") {
    await requireSameEnd(env, tenantId, instance, run);
    return lookForMissing(ctx, run);
  }
  const principal = await confirmerOf(env, tenantId, job.confirmedBy ?? job.createdBy);
  const { id: connectorInstanceId, name } = instance;
  const origin = { connectorInstanceId, target: run.target ?? "", name, at: job.startedAt ?? job.createdAt };
  return applyLines(ctx, run, { principal, origin });
}

/** What carrying out a plan takes. Whatever else its confirmer may do is no right of the system that was listed. */
const registering = (name: string) =>
  ["ai-asset:write", "ai-asset:lifecycle", "ai-asset:retire"].includes(name) ||
  RECORD_KINDS.some(({ permission }) => name === `${permission}:write`);

/** Who confirmed a plan, with those of the rights of now that registering and retiring assets take. */
async function confirmerOf(env: Environment, tenantId: string, userId: string) {
  const principal = await env
    .use(principals)
    .of(tenantId, userId)
    .catch((error: unknown) => {
      if (ReeveError.is(error)) return undefined;
      throw error;
    });
  if (principal?.permissions.has("ai-asset:write")) {
    const permissions = new Set([...principal.permissions].filter(registering));
    return { ...principal, permissions };
  }
  const message = "Whoever confirmed it may not register assets any more.";
  throw new ConnectorError("permission", message, { code: "confirmer_without_right" });
}

/** Keeps which system is about to be listed. Rejects where its ids would be taken for those of another one. */
async function keepTarget(ctx: OutsideContext, tenantId: string, instance: ConnectorInstance, run: ImportRun) {
  const target = await identityNow(ctx.env, tenantId, instance, run.importId);
  requireHeldTarget(instance, target);
  return ctx.write((inner) =>
    continueRun(inner, run, (_job, lease) =>
      inner.update(connectorImportRuns, run, { target, attempts: 0, dueAt: lease }),
    ),
  );
}

/** Rejects where another system answers at the end of a listing than at its beginning: the pages may be of both. */
async function requireSameEnd(env: Environment, tenantId: string, instance: ConnectorInstance, run: ImportRun) {
  if (run.cursor !== null) return;
  if ((await identityNow(env, tenantId, instance, run.importId)) !== run.target) throw otherSystem();
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
