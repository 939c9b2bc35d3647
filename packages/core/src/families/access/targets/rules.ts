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

interface Circumstances {
  /** Whether the kill switch of new access is engaged. */
  readonly frozen: boolean;
  readonly capabilities: readonly Capability[];
  readonly sync: AccessTarget["syncStatus"];
}

/** Why nothing is granted in a target, also when it answers; `undefined` when something is. */
export function notGrantable(
  { status, governanceMode }: Pick<ConnectorInstance, "status" | "governanceMode">,
  { frozen, capabilities }: Omit<Circumstances, "sync">,
): NotRequestable | undefined {
  if (frozen) return "kill_switch";
  if (status !== "active") return "not_active";
  if (governanceMode === "observe") return "observe_mode";
  return capabilities.includes("grant") ? undefined : "no_grant_capability";
}

/** Why nothing can be requested at a target; `undefined` when something can. */
export function notRequestable(
  instance: Pick<ConnectorInstance, "status" | "governanceMode" | "health">,
  circumstances: Circumstances,
): NotRequestable | undefined {
  const reason = notGrantable(instance, circumstances);
  if (reason !== undefined) return reason;
  if (UNHEALTHY.has(instance.health)) return "unhealthy";
  return circumstances.sync === "never" ? "never_synced" : undefined;
}

/** Keys of the connectors whose connections are targets. */
export function targetKeys({ env }: ReadContext): string[] {
  return [...env.connectors.values()]
    .filter(({ manifest }) => isTarget(manifest.capabilities))
    .map(({ manifest }) => manifest.providerKey);
}
