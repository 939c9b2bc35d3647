import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { configurationVersions } from "../../configurations/schema.js";
import { forgetHealth } from "../../instances/health/note.js";
import { requireOwners } from "../../instances/instance-owners.js";
import { storeSecrets } from "../../instances/instance-secrets.js";
import { type ConnectorInstance, instances } from "../../instances/schema.js";
import { maintenanceAfter, move } from "./move.js";
import type { PreparedChange } from "./prepare.js";
import { lastTestOf, noteTest } from "./tested.js";

/** Stores a prepared change, within the transaction. 409 when the configuration has changed since. */
export async function storeChange(ctx: Context, prepared: PreparedChange): Promise<ConnectorInstance> {
  const { body, before: seen, next, tested } = prepared;
  const before = await ctx.getForUpdate(instances, seen.id);
  if (before.configurationVersion !== seen.configurationVersion)
    throw new ReeveError("concurrent_modification", "Its configuration has changed.");
  await requireOwners(ctx, body.fields.ownerIds, { before: before.ownerIds });
  const settings = await storeSettings(ctx, before, prepared);
  const { maintenance: _moved, schedule, ...fields } = body.fields;
  const kept = maintenanceAfter(ctx, before, body);
  const planned = schedule ? { schedule: { ...before.schedule, ...schedule } } : {};
  const patch = { ...fields, ...planned, ...kept, ...settings, ...testedPatch(ctx, before, prepared) };
  let after = await ctx.update(instances, before, patch, { reason: body.reason });
  if (next) after = await forgetHealth(ctx, after, "Its configuration has changed.");
  return move(ctx, await noteTest(ctx, after, tested), body);
}

async function storeSettings(
  ctx: Context,
  { id, configurationVersion }: ConnectorInstance,
  { next, connector, body }: PreparedChange,
): Promise<Partial<ConnectorInstance>> {
  if (!next || !connector) return {};
  const { settings, changes, shown, sealed } = next;
  if (sealed) await storeSecrets(ctx, id, sealed);
  const { configuration } = settings;
  const number = configurationVersion + 1;
  const kept = { instanceId: id, number, configuration, changes: [...changes], reason: body.reason ?? null };
  await ctx.insert(configurationVersions, { ...kept, createdBy: ctx.principal.userId });
  const { version: manifestVersion } = connector.manifest;
  return { configuration, secrets: shown, configurationVersion: number, manifestVersion };
}

/** What a test, or the decision to go without, leaves on the record. */
function testedPatch(
  ctx: Context,
  { configurationVersion: current, target }: ConnectorInstance,
  { next, tested, body }: PreparedChange,
): Partial<ConnectorInstance> {
  if (!tested && !body.skipTest) return {};
  const lastTest = lastTestOf(ctx, tested, true, next ? current + 1 : current);
  const seen = tested?.report.target;
  return {
    lastTest,
    ...(tested ? { lastCheckAt: ctx.now } : {}),
    // A system that does not say which it is was accepted as another one.
    target: seen ? { ...seen, seenAt: ctx.now } : tested ? null : target,
  };
}
