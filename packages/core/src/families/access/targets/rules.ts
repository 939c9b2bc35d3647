import type { Capability } from "#connectors/index.js";
import type { ConnectorInstance } from "#families/connectors/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { AccessTarget, NotRequestable } from "./schema.js";

/** The kill switch of new access. */
export const PROVISION = "access.provision";

/** Capabilities that make a connection a target of access. */
const OF_TARGETS: ReadonlySet<Capability> = new Set(["resources", "grant", "observe"]);

export const isTarget = (capabilities: readonly Capability[]): boolean =>
  capabilities.some((capability) => OF_TARGETS.has(capability));

const UNHEALTHY: ReadonlySet<string> = new Set(["down", "misconfigured"]);

/** Why nothing can be requested at a target; `undefined` when something can. */
export function notRequestable(
  instance: Pick<ConnectorInstance, "status" | "governanceMode" | "health">,
  {
    frozen,
    capabilities,
    sync,
  }: {
    readonly frozen: boolean;
    readonly capabilities: readonly Capability[];
    readonly sync: AccessTarget["syncStatus"];
  },
): NotRequestable | undefined {
  if (frozen) return "kill_switch";
  if (instance.status !== "active") return "not_active";
  if (instance.governanceMode === "observe") return "observe_mode";
  if (!capabilities.includes("grant")) return "no_grant_capability";
  if (UNHEALTHY.has(instance.health)) return "unhealthy";
  return sync === "never" ? "never_synced" : undefined;
}

/** Keys of the connectors whose connections are targets. */
export function targetKeys({ env }: ReadContext): string[] {
  return [...env.connectors.values()]
    .filter(({ manifest }) => isTarget(manifest.capabilities))
    .map(({ manifest }) => manifest.providerKey);
}
