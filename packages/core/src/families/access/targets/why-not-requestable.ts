import type { ConnectorInstance } from "#families/connectors/index.js";
import { engagedSwitchesOf } from "#families/estate/index.js";
import { defineExtensionPoint } from "#kernel/config/extension.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { notGrantable, notRequestable, PROVISION } from "./rules.js";
import type { AccessTarget, NotRequestable } from "./schema.js";

export type SyncStates = ReadonlyMap<string, AccessTarget["syncStatus"]>;

/** Extension point: how the last sync of each of some targets stands, by their ids. */
export const syncStates =
  defineExtensionPoint<(ctx: ReadContext, targetIds: readonly string[]) => Promise<SyncStates>>("access.syncStates");

const capabilitiesOf = ({ env }: ReadContext, { providerKey }: ConnectorInstance) =>
  env.connectors.get(providerKey)?.manifest.capabilities ?? [];

/** Why nothing is granted in a target now, also when it answers; `undefined` when something is. */
export async function whyNotGrantable(
  ctx: ReadContext,
  instance: ConnectorInstance,
): Promise<NotRequestable | undefined> {
  const frozen = (await engagedSwitchesOf(ctx)).has(PROVISION);
  return notGrantable(instance, { frozen, capabilities: capabilitiesOf(ctx, instance) });
}

/** Why nothing can be requested at a target now; `undefined` when something can. */
export async function whyNotRequestable(
  ctx: ReadContext,
  instance: ConnectorInstance,
): Promise<NotRequestable | undefined> {
  const [engaged, ...states] = await Promise.all([
    engagedSwitchesOf(ctx),
    ...ctx.env.use(syncStates).map((read) => read(ctx, [instance.id])),
  ]);
  const sync = states.map((known) => known.get(instance.id)).find((state) => state !== undefined) ?? "never";
  return notRequestable(instance, {
    frozen: engaged.has(PROVISION),
    capabilities: capabilitiesOf(ctx, instance),
    sync,
  });
}
