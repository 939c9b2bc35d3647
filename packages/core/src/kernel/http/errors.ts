import { brand, brandOf, isBranded } from "#ports/brand.js";

/** Every public error code with HTTP status, title and remedy. Codes are never reused. */
export const ERRORS = {
  invalid_request: [400, "The request is not valid", "Correct the properties named in `errors`."],
  invalid_json: [400, "The body is not valid JSON", "Send one JSON object in UTF-8."],
  invalid_encoding: [
    400,
    "The text is not encoded as required",
    "Send UTF-8 without a byte order mark, NUL or lone surrogates.",
  ],
  forbidden_key: [
    400,
    "A property name is not allowed",
    "Rename the property; names that reach object prototypes are refused.",
  ],
  invalid_parameter: [
    400,
    "A query parameter is not valid",
    "Use the parameters and values that the reference lists for this operation.",
  ],
  invalid_reference: [400, "A referenced record does not exist", "Refer to records of your own tenant."],
  read_only_property: [400, "A read-only property was changed", "Leave the property out, or send it back unchanged."],
  duration_exceeds_max: [400, "It may not last so long", "Ask for `maxDuration` at most."],
  missing_reason: [400, "A reason is required", "Add `reason` with at least 10 characters."],
  invalid_cursor: [400, "The cursor is not valid", "Start again without a cursor, with the same filters throughout."],
  page_window_exceeded: [400, "The page lies too deep", "Follow `nextCursor` instead of counting pages."],
  password_rejected: [
    400,
    "The password does not meet the rules",
    "Choose a longer password that is not a common one.",
  ],
  target_not_allowed: [
    400,
    "The target may not be called",
    "Use a public https address, or ask the operator of this service to allow the target.",
  ],
  invalid_otp: [
    400,
    "The one-time code or link is not valid",
    "Ask for a new one; each works once and for a short time.",
  ],
  saml_invalid: [
    400,
    "The SAML message or document is not valid",
    "See `refusal`; the application that sent it must be set up or mended.",
  ],
  idempotency_key_required: [
    400,
    "An Idempotency-Key is required",
    "Send the header `Idempotency-Key` with a value of your own.",
  ],
  session_missing: [
    400,
    "No session was named",
    "Name the session that the request belongs to, once, in the header that the gateway reads.",
  ],
  invalid_denial_binding: [
    400,
    "The request is not about the denial that it names",
    "Send `denial`, subject, action, resource and context as they were in the evaluation that was denied.",
  ],
  denial_not_requestable: [
    400,
    "The denial cannot be asked about",
    "Ask only about denials whose context has `access_request`.",
  ],
  assertion_refused: [
    400,
    "The identity assertion is refused",
    "See `reasons`; ask whoever answers for the agent, the server or the access.",
  ],
  token_missing: [401, "No bearer token was sent", "Send `Authorization: Bearer <token>`."],
  invalid_token: [401, "The bearer token is not valid", "Sign in again."],
  token_expired: [401, "The bearer token has expired", "Sign in again."],
  invalid_credentials: [401, "The credentials are not valid", "Check user name and password."],
  second_factor_required: [
    401,
    "A second factor is required",
    "Repeat with `challenge` and what `methods` lists; where it is empty, set up what `enrol` lists first.",
  ],
  permission_denied: [403, "Permission denied", "Ask an administrator for a role that holds the permission."],
  decision_denied: [403, "The decision is no", "Read why in `detail`, and ask whoever answers for it."],
  capability_not_licensed: [403, "Capability not licensed", "Ask your provider to license the capability."],
  step_up_required: [
    403,
    "It takes a second factor that was proven lately",
    "Prove it again by `POST /api/v1/auth/factors/proof`, then repeat; set one up first where there is none.",
  ],
  self_approval_forbidden: [
    403,
    "Someone else must decide this",
    "Ask a four-eyes approver with the permission, or invite one.",
  ],
  self_appointment_forbidden: [
    403,
    "You cannot put yourself into an office",
    "Ask somebody else who may name people there.",
  ],
  approver_not_eligible: [403, "You are not asked to decide this", "See `waitingFor` for who is asked."],
  related_party_forbidden: [
    403,
    "Someone unrelated must decide this",
    "Ask a person whose account does not come from who asked.",
  ],
  tenant_suspended: [403, "The tenant is suspended", "Ask your provider."],
  provider_policy: [403, "For the provider of the service only", "Ask the people who run this service."],
  limit_exceeded: [403, "A limit is reached", "Remove what is no longer needed, or ask your provider for more."],
  registration_closed: [403, "Registration is closed", "Ask the operator of this service for an account."],
  session_blocked: [
    403,
    "The session may not go on",
    "See `sessionStatus` and `reason`; start a new session once it has ended.",
  ],
  tool_not_allowed: [403, "The tool may not be run with this token", "Issue a token that opens the tool."],
  tool_definition_changed: [
    403,
    "The tool is not what it was when it was permitted",
    "Have it approved as it is, and issue a new token.",
  ],
  constraint_violation: [
    403,
    "The call is beyond what is permitted",
    "Stay within the constraints of the token and its access.",
  ],
  assignment_inactive: [
    403,
    "The access is not in force",
    "See `reasons`; ask for access, or wait until it is in force.",
  ],
  not_found: [404, "Not found", "Check the id; records of other tenants are never found."],
  route_not_found: [404, "No such operation", "See the API reference for paths."],
  method_not_allowed: [405, "Method not allowed", "Use a method that `Allow` lists."],
  tenant_required: [409, "Several tenants know this user name", "Repeat with `tenant`, one of those in `tenants`."],
  invalid_transition: [409, "Transition not allowed", "See `current` and `allowed`."],
  transition_guard_failed: [409, "A condition of the transition is not met", "See `guards`."],
  concurrent_modification: [409, "Someone else changed it at the same time", "Read it again and repeat."],
  manifest_mismatch: [
    409,
    "The server was seen to offer something else",
    "Look at the drift again, and approve what it shows; `current` is its digest.",
  ],
  already_exists: [409, "It already exists", "Use the existing record, or other key values."],
  alias_unavailable: [
    409,
    "The domain is the alias of another tenant",
    "Use another domain, or have it released where it is in use.",
  ],
  has_active_assignments: [409, "Something needs it still", "End what `live` counts first."],
  connection_test_failed: [409, "The connection does not work", "See `test`; or send `skipTest` with a reason."],
  target_identity_changed: [
    409,
    "Another system answers than before",
    "Check the settings; send `confirmTarget` when the other system is meant.",
  ],
  duplicate_request: [409, "It was asked for already", "See the request of `accessRequestId`."],
  not_requestable: [409, "It cannot be requested now", "See `detail`, and `notRequestableReason` where it is there."],
  scope_changed: [409, "It asks for something else by now", "Read it again; `current` is its scope now."],
  sod_conflict: [409, "It conflicts with other access", "See `conflicts`; permit them for a time, or reject it."],
  plan_changed: [409, "It is another plan by now", "Read the plan again, and confirm what it shows."],
  anomaly_pending: [409, "More is missing than is plausible", "Look at the target; then confirm with `acceptAnomaly`."],
  capability_missing: [409, "The connector cannot do this", "See `capabilities` of the connector."],
  in_use: [409, "It is in use", "End what `detail` names first."],
  idempotency_in_progress: [409, "The same request is still running", "Repeat after `Retry-After` seconds."],
  idempotency_secret_not_replayable: [
    409,
    "The first answer held a secret and was not kept",
    "Use a new Idempotency-Key.",
  ],
  idempotency_key_taken: [409, "The Idempotency-Key belongs to another request", "Use a new key for a new request."],
  expired_denial: [410, "The denial is too old to be asked about", "Evaluate again, and ask about the new denial."],
  task_expired: [410, "The task is over", "Evaluate again; the answer says what can be asked for."],
  precondition_failed: [412, "The version does not match", "Read it again; `current` is its version now."],
  payload_too_large: [413, "The body is too large", "Send at most the stated size."],
  unsupported_media_type: [
    415,
    "Media type not supported",
    "Send `Content-Type: application/json` in UTF-8, not compressed.",
  ],
  principal_not_found: [
    422,
    "The target has no such principal",
    "Name one of `candidates`, or another principal that is there.",
  ],
  idempotency_key_reused: [422, "The Idempotency-Key belongs to another request", "Use a new key for a new request."],
  precondition_required: [428, "If-Match is required", "Send `If-Match` with the ETag you have read."],
  rate_limited: [429, "Too many requests", "Wait `Retry-After` seconds."],
  too_many_attempts: [429, "Too many attempts", "Wait `Retry-After` seconds."],
  internal: [500, "Something went wrong here", "Report the request id."],
  connector_error: [502, "The other system failed", "See `reason`; check the other system and its settings."],
  not_configured: [501, "Not configured", "Ask the operator of this service to configure it."],
  storage_unavailable: [503, "The store is not reachable", "Repeat after `Retry-After` seconds."],
  storage_busy: [503, "The store is busy", "Repeat after `Retry-After` seconds."],
  storage_full: [503, "The store is full", "Tell the operator; reads go on."],
  outcome_unknown: [
    503,
    "It is not known whether the change was stored",
    "Repeat with the same Idempotency-Key; without one, look first whether the change is there.",
  ],
  secret_unavailable: [503, "A stored secret cannot be opened", "Tell the operator: its master key is missing."],
  session_unknown: [503, "It cannot be told whether the session may go on", "Repeat after `Retry-After` seconds."],
  issuer_unavailable: [503, "The keys of a trusted issuer cannot be read", "Repeat after `Retry-After` seconds."],
  kill_switch_active: [503, "Switched off by the provider", "Repeat after `Retry-After` seconds."],
  overloaded: [503, "Too much work at once", "Repeat after `Retry-After` seconds."],
  shutting_down: [503, "The service is shutting down", "Repeat elsewhere or later."],
  connector_timeout: [504, "The other system took too long", "Check the other system, then repeat."],
  query_timeout: [504, "The query took too long", "Ask for less."],
} satisfies Record<string, readonly [status: number, title: string, remedy: string]>;

export type ErrorCode = keyof typeof ERRORS;

/** One fault of a request: a JSON pointer into the body, or the name of a parameter. */
export interface FieldError {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly code: string;
  readonly message: string;
  /** A place within a text stands in the message: problem documents have no members for it. */
  readonly line?: never;
  readonly column?: never;
}

interface Extras {
  readonly errors?: readonly FieldError[];
  /** More members of the problem document: `current`, `allowed`, `guards`, … */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
  /** Said in place of title and remedy, where neither the detail nor the errors say what is wrong. */
  readonly words?: Words;
}

/** What a refusal says of itself where it has nothing particular to say. */
export type Words = readonly [title: string, remedy: string];

/** Properties that consoles leave out: the message holds the detail, and the code tells the status. */
const UNPRINTED = ["detail", "headers", "members", "name", "status"] as const;

const REEVE_ERROR = brandOf("ReeveError");

/**
 * A refusal with a published code. `detail` says what is wrong this time, for people, and is absent where title and
 * remedy say all there is. It may change, and never holds a secret or another tenant's data. A 401 has no stack.
 */
export class ReeveError extends Error {
  /** Whether a value is one, even from another copy of this package. */
  static is(value: unknown): value is ReeveError {
    return isBranded(value, REEVE_ERROR);
  }

  override readonly name = "ReeveError";
  readonly status: number;
  readonly errors: readonly FieldError[];
  readonly members: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly code: ErrorCode,
    readonly detail?: string | undefined,
    extras: Extras = {},
  ) {
    const [status] = ERRORS[code];
    const { stackTraceLimit } = Error;
    // The stack is the most expensive part of a refusal, and a flood of invalid tokens must stay cheap.
    if (status === 401) Reflect.set(Error, "stackTraceLimit", 0);
    super(messageOf(code, detail, extras), extras.cause === undefined ? {} : { cause: extras.cause });
    if (status === 401) Reflect.set(Error, "stackTraceLimit", stackTraceLimit);
    this.status = status;
    this.errors = extras.errors ?? [];
    this.members = extras.members ?? {};
    this.headers = extras.headers ?? {};
    for (const name of UNPRINTED) Object.defineProperty(this, name, { enumerable: false });
    if (this.errors.length === 0) Object.defineProperty(this, "errors", { enumerable: false });
  }
}

brand(ReeveError, REEVE_ERROR);

/** The most faults that a message names. */
const NAMED_FAULTS = 3;

/** The detail; without one the title with the first faults, or with the remedy. */
function messageOf(code: ErrorCode, detail: string | undefined, { errors = [], words }: Extras): string {
  if (detail !== undefined) return detail;
  const [title, remedy] = words ?? [ERRORS[code][1], ERRORS[code][2]];
  if (errors.length === 0) return `${title}. ${remedy}`;
  const faults = errors.slice(0, NAMED_FAULTS).map(({ pointer, parameter, message }) => {
    const place = pointer ?? parameter ?? "";
    return place === "" ? message : `${place}: ${message}`;
  });
  const more = errors.length - faults.length;
  return `${title}. ${faults.join(" ")}${more > 0 ? ` And ${more} more.` : ""}`;
}

/** The RFC 9457 document of a refusal. Without a request id when it comes from the host and not from an operation. */
export function problemDocument(
  error: ReeveError,
  requestId: string | undefined,
  typeBase: string,
): Record<string, unknown> {
  const [status, title, remedy] = ERRORS[error.code];
  return {
    type: `${typeBase}${error.code}`,
    title,
    status,
    code: error.code,
    ...(error.detail === undefined ? {} : { detail: error.detail }),
    remedy,
    ...(requestId === undefined ? {} : { requestId }),
    retryable: isRetryable(error.code, status),
    ...(error.errors.length > 0 ? { errors: error.errors } : {}),
    ...error.members,
  };
}

/** Conflicts that pass by themselves. */
const PASSING: ReadonlySet<ErrorCode> = new Set(["concurrent_modification", "idempotency_in_progress"]);

/** Whether the same request may be sent again as it is. After an unknown outcome that depends on the request. */
function isRetryable(code: ErrorCode, status: number): boolean {
  if (code === "outcome_unknown") return false;
  return status === 429 || status === 503 || PASSING.has(code);
}

/** The same answer for absent, removed, malformed and foreign ids. */
export const notFound = (): ReeveError => new ReeveError("not_found");

/** A refusal for one wrong property of a body. */
export function invalidProperty(pointer: string, message: string, code: ErrorCode = "invalid_request"): ReeveError {
  return new ReeveError(code, message, { errors: [{ pointer, code, message }] });
}
