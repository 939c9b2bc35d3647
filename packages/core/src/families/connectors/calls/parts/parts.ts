import type { InstanceParts } from "#connectors/call/parts.js";
import type { Connector } from "#connectors/connector.js";
import { ConnectorError } from "#connectors/error.js";
import type { Environment } from "#kernel/config/environment.js";
import type { ConnectorInstance } from "../../instances/schema.js";
import { admitOutbound } from "../limits/admit.js";
import { storedSecrets } from "./secret-source.js";
import { storedState } from "./state.js";

type Own = Pick<InstanceParts, "instanceId" | "config" | "secrets" | "state">;

/** What calls need of an instance. Rejects where its configuration does not fit the connector any more. */
export function instanceParts(
  env: Environment,
  tenantId: string,
  { id, configuration }: Pick<ConnectorInstance, "id" | "configuration">,
  connector: Connector,
): InstanceParts {
  const parsed = connector.configuration.safeParse(configuration);
  if (!parsed.success)
    throw new ConnectorError("config", "The configuration does not fit this version of the connector.", {
      code: "configuration_outdated",
    });
  const secrets = storedSecrets(env, tenantId, id);
  return partsOf(env, tenantId, {
    instanceId: id,
    config: parsed.data,
    secrets,
    state: storedState(env, tenantId, id),
  });
}

/** What a call needs, with settings, secrets and state of its own. */
export function partsOf(env: Environment, tenantId: string, own: Own): InstanceParts {
  const { egress, logger } = env;
  return { tenantId, ...own, egress, logger, admit: () => admitOutbound(env) };
}
