import { ReeveError } from "#kernel/http/errors.js";
import type { Capability } from "../capabilities.js";
import type { Connector } from "../connector.js";
import { ConnectorError } from "../error.js";
import { UNEXPECTED } from "./failure.js";
import type { Mask } from "./mask.js";
import type { CallFacts, InstanceParts } from "./parts.js";

/** The most characters of a text that are logged. */
const LONGEST = 8_000;
/** How many failures deep the error behind them is looked for. */
const DEPTH = 8;

/** Which call has failed. */
export interface FailedCall {
  readonly connector: Pick<Connector, "manifest">;
  readonly parts: Pick<InstanceParts, "tenantId" | "instanceId" | "secrets" | "logger">;
  readonly facts: Pick<CallFacts, "correlationId"> & { readonly capability: Capability };
  readonly mask: Mask;
}

/** The error behind a failure that the connector did not mean; `undefined` for failures that it did mean. */
function unexpectedIn(failure: unknown): { readonly error: unknown } | undefined {
  let error = failure;
  for (let depth = 0; depth < DEPTH && ConnectorError.is(error) && error.code === UNEXPECTED; depth += 1)
    error = error.cause;
  return error === undefined || ConnectorError.is(error) || ReeveError.is(error) ? undefined : { error };
}

/**
 * Warns the host of a mistake of a connector, since callers learn nothing of it. All secrets of the connection are
 * masked, and no text is logged while they cannot be read.
 */
export async function logUnexpected(failure: unknown, { connector, parts, facts, mask }: FailedCall): Promise<void> {
  const found = unexpectedIn(failure);
  if (!found) return;
  const { tenantId, instanceId, secrets, logger } = parts;
  const { providerKey } = connector.manifest;
  const { capability, correlationId } = facts;
  const about = { tenantId, instanceId, providerKey, capability, correlationId };
  try {
    // The connector may know secrets from an earlier call.
    mask.hide(Object.values((await secrets.read()).values));
  } catch (unread) {
    const fields = { ...about, error: String(unread) };
    return logger.warn(fields, "a connector failed unexpectedly, and the secrets to mask in its error cannot be read");
  }
  logger.warn({ ...about, error: textsOf(found.error, mask) }, "a connector failed unexpectedly");
}

/** The texts of whatever was thrown. */
function textsOf(error: unknown, mask: Mask): Readonly<Record<string, string>> {
  const shown = (text: unknown) => mask.quoted(String(text), LONGEST);
  try {
    if (!(error instanceof Error)) return { name: typeof error, message: shown(error) };
    const { name, message, stack = "" } = error;
    return { name: shown(name), message: shown(message), stack: shown(stack) };
  } catch {
    return { name: typeof error, message: "It cannot be read." };
  }
}
