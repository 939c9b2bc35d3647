import { connectorFailure } from "#connectors/call/failure.js";
import { Mask } from "#connectors/call/mask.js";
import type { Capability } from "#connectors/capabilities.js";
import type { ConnectorError } from "#connectors/error.js";

/** Any failure before or during a call as a `ConnectorError`, without texts of the platform. */
export function connectorFailureOf(error: unknown, capability: Capability): ConnectorError {
  return connectorFailure(error, capability, new Mask());
}
