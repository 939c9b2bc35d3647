import { ConnectorError } from "#connectors/error.js";
import { ERRORS, type ErrorCode, ReeveError } from "#kernel/http/errors.js";

/** Failures of this side, which a caller gets as they are. */
const OWN: readonly string[] = ["kill_switch_active", "storage_unavailable", "overloaded"];
const CHANGED: readonly string[] = ["secrets_changed", "refresh_busy"];

/** The refusal that a failure of a call means to whoever asked for the call. */
export function refusalOf(error: unknown): unknown {
  if (!ConnectorError.is(error)) return error;
  const { code = "", message, errorClass } = error;
  if (OWN.includes(code) && Object.hasOwn(ERRORS, code)) return new ReeveError(code as ErrorCode, message);
  if (CHANGED.includes(code)) return new ReeveError("concurrent_modification", message);
  return new ReeveError("connector_error", message, { members: { reason: code || errorClass } });
}
