import { ConnectorError } from "#connectors/index.js";
import { targetProperties } from "#connectors/publish.js";
import type { Environment } from "#kernel/config/environment.js";
import { canonical } from "#kernel/events/canonical.js";
import { sha256 } from "#store/chain.js";
import { instanceParts } from "../calls/parts/parts.js";
import type { ConnectorInstance } from "../instances/schema.js";
import { runTest } from "../testing/run-test.js";

/**
 * Which system an instance leads to now, by a test of it. A system that names itself never is known by the settings that
 * lead to it. Rejects with `ConnectorError` where nobody can tell.
 */
export async function identityNow(
  env: Environment,
  tenantId: string,
  instance: ConnectorInstance,
  correlationId: string,
): Promise<string> {
  const connector = env.connectors.get(instance.providerKey);
  if (!connector)
    throw new ConnectorError("config", "The connector is not there any more.", { code: "connector_missing" });
  const parts = instanceParts(env, tenantId, instance, connector);
  const { report, failure } = await runTest(env, connector, parts, correlationId);
  if (failure) throw failure;
  if (report.target) return `target ${report.target.id}`;
  const led = [...targetProperties(connector)].sort().map((name) => [name, instance.configuration[name] ?? null]);
  return `settings ${sha256(canonical(led))}`;
}

/** Rejects where another system answers than the one of the last test that passed, or one that does not say which. */
export function requireHeldTarget({ target }: ConnectorInstance, identity: string): void {
  if (!target || identity === `target ${target.id}`) return;
  if (identity.startsWith("target ")) throw otherSystem();
  const message = "It does not say any more which system it is.";
  throw new ConnectorError("config", message, { code: "target_unknown" });
}

/** The refusal of what another system says. */
export const otherSystem = () =>
  new ConnectorError("config", "Another system answers than before.", { code: "target_identity_changed" });
