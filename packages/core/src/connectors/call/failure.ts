import { ReeveError } from "#kernel/http/errors.js";
import { type Capability, WRITES } from "../capabilities.js";
import { ConnectorError, type ErrorClass } from "../error.js";
import type { Mask } from "./mask.js";

/** The code of a failure that a connector did not mean. */
export const UNEXPECTED = "unexpected";

/** Reasons of the egress for which nothing has been sent. */
const BEFORE_SENDING = new Set(["unresolved", "unreachable"]);

/** The failure for which a call may be repeated: of a write only where nothing can have happened. */
const lostClass = (capability: Capability): ErrorClass => (WRITES.has(capability) ? "outcome_unknown" : "transient");

export const tookTooLong = (capability: Capability) =>
  new ConnectorError(lostClass(capability), "The target took too long.", { code: "timeout" });

export const abandoned = (capability: Capability) =>
  new ConnectorError(lostClass(capability), "The call was given up.", { code: "abandoned" });

/** Any failure of a call as a `ConnectorError`, without secrets and without texts of platform or libraries. */
export function connectorFailure(error: unknown, capability: Capability, mask: Mask): ConnectorError {
  if (ConnectorError.is(error)) {
    const { errorClass, code, retryAfterMs, httpStatus } = error;
    return new ConnectorError(errorClass, mask.text(error.message), {
      cause: error,
      ...(code === undefined ? {} : { code: mask.text(code) }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      ...(httpStatus === undefined ? {} : { httpStatus }),
    });
  }
  if (ReeveError.is(error)) return egressFailure(error, capability);
  return new ConnectorError(lostClass(capability), "The connector failed.", { code: UNEXPECTED, cause: error });
}

/** A failure of the egress, which quotes nothing of the target. */
export function egressFailure(error: ReeveError, capability: Capability): ConnectorError {
  const { code, message: detail, members = {} } = error;
  if (code === "connector_timeout") return tookTooLong(capability);
  if (code === "target_not_allowed")
    return new ConnectorError("config", "The target may not be called.", { code, cause: error });
  if (code === "kill_switch_active" || code === "storage_unavailable")
    return new ConnectorError("transient", "Calls to the outside are stopped.", { code, cause: error });
  if (code !== "connector_error") return new ConnectorError("fatal", "The connector failed.", { code, cause: error });
  const reason = String((members as { reason?: unknown }).reason ?? "unknown");
  return new ConnectorError(classOf(reason, capability), detail, { code: reason, cause: error });
}

function classOf(reason: string, capability: Capability): ErrorClass {
  if (reason === "tls") return "config";
  if (reason === "too_large" && !WRITES.has(capability)) return "invalid";
  return BEFORE_SENDING.has(reason) ? "transient" : lostClass(capability);
}
