import type { Connector } from "#connectors/connector.js";
import { targetProperties } from "#connectors/publish.js";
import { canonical } from "#kernel/events/canonical.js";
import { invalidProperty, ReeveError } from "#kernel/http/errors.js";
import type { JsonObject } from "#kernel/http/json-guard.js";
import { requireReason } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { type GenericBody, mergePatch } from "#kernel/records/generic-body.js";
import { type PassingSecrets, passingSecrets, storedSecrets } from "../../calls/parts/secret-source.js";
import { passingState, storedState } from "../../calls/parts/state.js";
import { changesBetween } from "../../configurations/compare-configurations.js";
import type { ConfigurationChange } from "../../configurations/schema.js";
import { type GivenSecrets, KEPT } from "../../instances/fields.js";
import { type OpenedSecrets, openSecrets, type SealedSecrets, sealSecrets } from "../../instances/instance-secrets.js";
import { checkedSettings, mergeSecrets, type Settings, sortSecrets } from "../../instances/instance-settings.js";
import { type ConnectorInstance, instances } from "../../instances/schema.js";
import { changedSecrets, shownSecrets } from "../../instances/shown-settings.js";
import type { Tested } from "../../testing/run-test.js";
import { answerOf } from "../../testing/test-report.js";
import { type InstanceBody, readInstanceBody, requireSameProvider } from "../register-body.js";
import { requireOk, testWith } from "./tested.js";

/** New settings of an instance, with what differs. */
export interface NewSettings {
  readonly settings: Settings;
  readonly changes: readonly ConfigurationChange[];
  readonly shown: ConnectorInstance["secrets"];
  readonly sealed: SealedSecrets | undefined;
}

/** A change of an instance, checked, tested where it must be, and with its secrets sealed. */
export interface PreparedChange {
  readonly body: InstanceBody;
  readonly before: ConnectorInstance;
  readonly connector: Connector | undefined;
  readonly next: NewSettings | undefined;
  readonly tested: Tested | undefined;
}

/** How `configuration` of the body meets the stored one. */
export type Merging = "merge" | "replace";

/**
 * Checks a change before its transaction, and tests the connection where it is to be called with other settings. 409
 * for settings that do not work, and for ones that lead to another system.
 */
export async function prepareChange(
  ctx: ReadContext,
  id: string,
  given: GenericBody,
  merging: Merging,
): Promise<PreparedChange> {
  const before = await ctx.getForUpdate(instances, id);
  const body = readInstanceBody(given, before);
  requireSameProvider(body.providerKey, before.providerKey);
  const connector = ctx.env.connectors.get(before.providerKey);
  const isSet = body.configuration !== undefined || body.secrets !== undefined;
  const activates = body.status === "active" && (before.status === "draft" || before.status === "disabled");
  if (!isSet && !activates) return { body, before, connector, next: undefined, tested: undefined };
  if (!connector) throw new ReeveError("not_configured", "The connector of this connection is not there any more.");
  const opened = await openSecrets(ctx.env, ctx.principal.tenantId, id);
  const settings = settingsAfter(connector, before, opened, body, merging);
  const names = changedSecrets(opened.values, settings.secrets);
  const changes = changesBetween(before.configuration, settings.configuration, names);
  if (body.skipTest) requireReason(body.reason);
  const isCalled = before.status === "active" || before.status === "maintenance";
  const mustWork = activates || (changes.length > 0 && isCalled);
  const source = names.length > 0 ? passingSecrets(settings.secrets) : undefined;
  const tested =
    mustWork && !body.skipTest ? await testWith(ctx, connector, ownOf(ctx, id, settings, source)) : undefined;
  if (tested) {
    requireOk(tested);
    requireSameTarget(before, tested, body.confirmTarget ?? false);
  }
  if (changes.length === 0) return { body, before, connector, next: undefined, tested };
  const values = source?.values() ?? settings.secrets;
  const shown = shownSecrets(connector, values, ctx.now, { values: opened.values, shown: before.secrets });
  const sealed = source ? await sealSecrets(ctx, values, opened.row) : undefined;
  return { body, before, connector, next: { settings, changes, shown, sealed }, tested };
}

/** The settings after a change. 400 for what does not fit the connector. */
export function settingsAfter(
  connector: Connector,
  before: Pick<ConnectorInstance, "configuration">,
  { values }: OpenedSecrets,
  given: Pick<InstanceBody, "configuration" | "secrets">,
  merging: Merging,
): Settings {
  const sorted = sortSecrets(connector, given.configuration, given.secrets);
  const isKept = given.configuration === undefined;
  const configuration = isKept
    ? before.configuration
    : merging === "replace"
      ? sorted.configuration
      : (mergePatch(before.configuration, sorted.configuration) as JsonObject);
  for (const name of Object.keys(sorted.secrets))
    if (!Object.hasOwn(connector.secrets.shape, name))
      throw invalidProperty(`/secrets/${name}`, "The connector has no secret of this name.");
  requireSecretsAgain(connector, before.configuration, configuration, values, sorted.secrets);
  return checkedSettings(connector, { configuration, secrets: mergeSecrets(values, sorted.secrets) });
}

/** What a test of the instance calls with: secrets that are not stored yet keep to themselves. */
export function ownOf(ctx: ReadContext, id: string, { parsed }: Settings, source: PassingSecrets | undefined) {
  const { tenantId } = ctx.principal;
  const secrets = source ?? storedSecrets(ctx.env, tenantId, id);
  const state = source ? passingState() : storedState(ctx.env, tenantId, id);
  return { instanceId: id, config: parsed, secrets, state };
}

/** 409 where another system answers than the one that the external ids are of, or one that does not say which. */
function requireSameTarget({ target }: ConnectorInstance, { report }: Tested, confirmed: boolean): void {
  if (confirmed || !target || answerOf(target, report) === "same") return;
  const now = report.target;
  const leads = now ? `It leads to "${now.name}"` : "It does not say which system it leads to";
  const before = { id: target.id, name: target.name };
  throw new ReeveError("target_identity_changed", `${leads} and no longer to "${target.name}".`, {
    members: { target: { before, now } },
  });
}

/**
 * 400 where kept secrets would go to another target. Whoever may change a connection does not know its secrets, and must
 * not have them sent to an address of their own.
 */
function requireSecretsAgain(
  connector: Connector,
  before: JsonObject,
  after: JsonObject,
  held: OpenedSecrets["values"],
  given: GivenSecrets,
): void {
  const moved = [...targetProperties(connector)].some(
    (name) => canonical(before[name] ?? null) !== canonical(after[name] ?? null),
  );
  if (!moved) return;
  for (const name of Object.keys(held))
    if (given[name] === undefined || given[name] === KEPT || (typeof given[name] === "object" && given[name] !== null))
      throw invalidProperty(`/secrets/${name}`, "Send it again, or `null`: it would go to another address.");
}
