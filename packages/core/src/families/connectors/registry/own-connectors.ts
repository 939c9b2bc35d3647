import { type Connector, ConnectorError } from "#connectors/index.js";
import type { Environment } from "#kernel/config/environment.js";

/** The control planes of the connectors to what a control plane itself keeps. */
const homes = new WeakMap<Connector, Environment | undefined>();

/** Marks a connector as one to the records of the control plane that it is given to. */
export function ownConnector(connector: Connector): Connector {
  homes.set(connector, undefined);
  return connector;
}

/** Lets such connectors work on the records of a control plane. */
export function bindOwnConnectors(env: Environment): void {
  for (const connector of env.connectors.values()) {
    if (!homes.has(connector)) continue;
    if (homes.get(connector)) {
      const { displayName } = connector.manifest;
      throw new TypeError(`the connector "${displayName}" is another control plane's: make one for each`);
    }
    homes.set(connector, env);
  }
}

/** The control plane of such a connector. */
export function homeOf(connector: Connector): Environment {
  const env = homes.get(connector);
  if (!env) throw new ConnectorError("config", "The connector is not one of a control plane.");
  return env;
}
