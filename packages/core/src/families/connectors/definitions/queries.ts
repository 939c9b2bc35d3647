import type { Connector } from "#connectors/connector.js";
import { notFound } from "#kernel/http/errors.js";
import { countsNow } from "#kernel/operation/numbers.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { Health } from "../instances/health/machine.js";
import { isEnabled } from "../instances/rules.js";
import { instances } from "../instances/schema.js";
import type { ConnectorDefinition } from "./schema.js";

/** From best to worst. */
const SEVERITY: readonly Health[] = ["healthy", "unknown", "degraded", "misconfigured", "down"];

/** A connector of the host. 404 for any other key. */
export function connectorNamed({ env }: ReadContext, providerKey: string): Connector {
  const connector = env.connectors.get(providerKey);
  if (!connector) throw notFound();
  return connector;
}

/** Every connector of the host by its key, with how its connections fare. */
export async function definitionsOf(ctx: ReadContext): Promise<ConnectorDefinition[]> {
  const counted = [...(await countsNow(ctx, instances, "providerHealth"))];
  const keys = [...ctx.env.connectors.keys()].sort();
  return keys.map((key) => definitionOf(ctx, connectorNamed(ctx, key), counted));
}

function definitionOf(
  ctx: ReadContext,
  { manifest }: Connector,
  counted: readonly (readonly [string, number])[],
): ConnectorDefinition {
  const { providerKey, displayName, category, version, description, docsUrl = null, capabilities } = manifest;
  const own = counted.flatMap(([text, count]) => {
    const [key, health] = text.split(" ");
    return key === providerKey ? [{ health: health as Health, count }] : [];
  });
  const worst = own.map(({ health }) => SEVERITY.indexOf(health)).sort((one, other) => other - one)[0];
  return {
    ...{ providerKey, displayName, category, version, description, docsUrl, capabilities: [...capabilities] },
    enabled: isEnabled(ctx, providerKey),
    instances: own.reduce((sum, { count }) => sum + count, 0),
    worstHealth: worst === undefined ? null : (SEVERITY[worst] ?? null),
  };
}
