import type { Connector } from "#connectors/connector.js";
import { invalidProperty } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { requireReason } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { GenericBody } from "#kernel/records/generic-body.js";
import { passingSecrets } from "../calls/parts/secret-source.js";
import { passingState } from "../calls/parts/state.js";
import { configurationVersions } from "../configurations/schema.js";
import { USUAL_SCHEDULE } from "../instances/fields.js";
import { requireOwners } from "../instances/instance-owners.js";
import { type SealedSecrets, sealSecrets, storeSecrets } from "../instances/instance-secrets.js";
import { checkedSettings, mergeSecrets, type Settings, sortSecrets } from "../instances/instance-settings.js";
import { isEnabled } from "../instances/rules.js";
import { type ConnectorInstance, instances } from "../instances/schema.js";
import { shownSecrets } from "../instances/shown-settings.js";
import type { Tested } from "../testing/run-test.js";
import { move } from "./change/move.js";
import { lastTestOf, noteTest, requireOk, testWith } from "./change/tested.js";
import { type InstanceBody, readInstanceBody } from "./register-body.js";

/** A new instance, checked and with its secrets sealed. */
export interface NewInstance {
  readonly body: InstanceBody;
  readonly connector: Connector;
  readonly settings: Settings;
  readonly sealed: SealedSecrets;
  readonly tested: Tested | undefined;
}

/** Checks what an instance is to be, and seals its secrets. 400 for a connector that is not registered. */
export async function prepareInstance(ctx: ReadContext, given: GenericBody): Promise<NewInstance> {
  const body = readInstanceBody(given);
  const connector = ctx.env.connectors.get(body.providerKey ?? "");
  if (!connector) throw invalidProperty("/providerKey", "There is no connector with this key.", "invalid_reference");
  if (!isEnabled(ctx, connector.manifest.providerKey))
    throw invalidProperty("/providerKey", "The tenant has taken this connector out of use.");
  const sorted = sortSecrets(connector, body.configuration, body.secrets);
  const secrets = mergeSecrets({}, sorted.secrets);
  const settings = checkedSettings(connector, { configuration: sorted.configuration, secrets });
  if (body.fields.maintenance) throw invalidProperty("/maintenance", "Only an active connection has maintenance.");
  if (body.skipTest) requireReason(body.reason);
  const source = passingSecrets(settings.secrets);
  const tested =
    body.status === "active" && !body.skipTest ? await firstTest(ctx, connector, settings, source) : undefined;
  return { body, connector, settings, sealed: await sealSecrets(ctx, source.values(), undefined), tested };
}

async function firstTest(
  ctx: ReadContext,
  connector: Connector,
  { parsed }: Settings,
  secrets: ReturnType<typeof passingSecrets>,
): Promise<Tested> {
  const own = { instanceId: null, config: parsed, secrets, state: passingState() };
  const tested = await testWith(ctx, connector, own);
  requireOk(tested);
  return tested;
}

/** Stores a new instance as a draft, within the transaction. */
export async function createInstance(ctx: Context, given: NewInstance): Promise<ConnectorInstance> {
  const { body, connector, settings, sealed, tested } = given;
  const { manifest } = connector;
  const { id, version, ...marks } = ctx.stamp(instances);
  const {
    maintenance: _none,
    name = `${manifest.displayName} ${id.slice(-6).toLowerCase()}`,
    ownerIds,
    schedule,
    ...fields
  } = body.fields;
  await requireOwners(ctx, ownerIds);
  const created = await ctx.insert(instances, {
    id,
    name,
    status: "draft",
    version,
    metadata: {},
    ...marks,
    providerKey: manifest.providerKey,
    environment: "unknown",
    ownerIds: ownerIds ?? [ctx.principal.userId],
    governanceMode: "observe",
    schedule: { ...USUAL_SCHEDULE, ...schedule },
    configuration: settings.configuration,
    secrets: shownSecrets(connector, settings.secrets, ctx.now),
    manifestVersion: manifest.version,
    configurationVersion: 1,
    target: tested?.report.target ? { ...tested.report.target, seenAt: ctx.now } : null,
    lastTest: lastTestOf(ctx, tested, body.skipTest ?? false, 1),
    healthSince: ctx.now,
    healthReason: null,
    lastCheckAt: tested ? ctx.now : null,
    lastImportAt: null,
    health: "unknown",
    maintenance: null,
    attributes: {},
    ...fields,
  });
  await storeSecrets(ctx, id, sealed);
  const first = { instanceId: id, number: 1, configuration: settings.configuration, changes: [] };
  await ctx.insert(configurationVersions, { ...first, reason: body.reason ?? null, createdBy: ctx.principal.userId });
  return move(ctx, await noteTest(ctx, created, tested), body);
}
