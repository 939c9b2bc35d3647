import { type ErrorCode, ReeveError, type Words } from "./errors.js";
import { publishedError } from "./store-errors.js";

const LATER = "Repeat it a little later.";

/** Title and remedy of codes whose published ones speak of HTTP, in words of a call in process. */
export const IN_PROCESS: Readonly<Partial<Record<ErrorCode, Words>>> = {
  invalid_request: ["The input is not valid", "Correct the properties named in `errors`."],
  invalid_json: ["The input is not JSON", "Pass one object that JSON can express."],
  invalid_parameter: ["The `query` is not valid", "Use the members and values that the type of the input lists."],
  idempotency_key_required: ["A key of the call is required", "Pass a key of your own."],
  session_missing: ["No session was named", "Name the session that the call belongs to."],
  token_missing: ["No principal was given", "Pass the principal that the call is made for."],
  invalid_token: ["The sign-in is not valid", "Sign in again, or look the principal up anew."],
  token_expired: ["The sign-in has expired", "Sign in again."],
  route_not_found: ["No such operation", "Use an id of the reference of operations."],
  method_not_allowed: ["No such operation", "Use an id of the reference of operations."],
  idempotency_in_progress: ["The same call is still running", LATER],
  idempotency_secret_not_replayable: ["The first answer held a secret and was not kept", "Use a new key."],
  precondition_failed: ["The version does not match", "Read it again; `members.current` is its version now."],
  payload_too_large: ["The input is too large", "Pass at most the stated size."],
  unsupported_media_type: ["The input has an unknown form", "Pass one object of the documented type."],
  idempotency_key_reused: ["The key belongs to another call", "Use a new key for a new call."],
  idempotency_key_taken: ["The key belongs to another call", "Use a new key for a new call."],
  precondition_required: ["The version is required", "Pass `ifMatch` with the version that you have read."],
  rate_limited: ["Too many calls", LATER],
  too_many_attempts: ["Too many attempts", LATER],
  internal: ["Something went wrong here", "See `cause`."],
  storage_unavailable: ["The store is not reachable", LATER],
  storage_busy: ["The store is busy", LATER],
  outcome_unknown: [
    "It is not known whether the change was stored",
    "Look first whether the change is there, then repeat the call.",
  ],
  session_unknown: ["It cannot be told whether the session may go on", LATER],
  issuer_unavailable: ["The keys of a trusted issuer cannot be read", LATER],
  kill_switch_active: ["Switched off by the provider", LATER],
  overloaded: ["Too much work at once", LATER],
};

/** Any failure as a refusal for who calls in process. Its details name no part of HTTP; its words are those of a call. */
export function inProcess(thrown: unknown): ReeveError {
  const error = publishedError(thrown);
  const { code, detail, errors, members, headers, cause } = error;
  const words = IN_PROCESS[code];
  if (!words || detail !== undefined) return error;
  const said = new ReeveError(code, undefined, { errors, members, headers, cause, words });
  said.stack = error.stack?.replace(error.message, () => said.message);
  return said;
}
