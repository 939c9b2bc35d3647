import type { Dialect } from "#kernel/http/dialect.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { NeutralRequest } from "#kernel/http/http.js";
import { listHeader } from "#kernel/http/http.js";

/** Error codes of OAuth endpoints, from RFC 6749, sections 5.2 and 4.1.2.1, and RFC 8693, section 2.2.2. */
export type OAuthError =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_scope"
  | "invalid_target"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "server_error"
  | "temporarily_unavailable";

/** An error of an OAuth endpoint: 401 with a challenge for `invalid_client`, otherwise 400. */
export function oauthRefusal(error: OAuthError, description: string): ReeveError {
  const members = { error, error_description: description };
  return error === "invalid_client"
    ? new ReeveError("invalid_credentials", description, {
        members,
        headers: { "www-authenticate": 'Basic realm="reeve", charset="UTF-8"' },
      })
    : new ReeveError("invalid_request", description, { members });
}

/** An error of a step that knows nothing of OAuth, with the members of RFC 6749. */
function withOAuthMembers(refusal: ReeveError): ReeveError {
  if ("error" in refusal.members) return refusal;
  const { code, detail, message, errors, headers, cause } = refusal;
  const members = { ...refusal.members, error: wordFor(refusal), error_description: message };
  return new ReeveError(code, detail, { errors, headers, cause, members });
}

function wordFor({ status }: ReeveError): OAuthError {
  if (status === 401) return "invalid_client";
  if (status === 429 || status === 503) return "temporarily_unavailable";
  return status >= 500 ? "server_error" : "invalid_request";
}

/** Whether the caller wants errors as `application/json`, as in RFC 6749, and not as problem documents. */
function wantsPlainJson(request: NeutralRequest): boolean {
  const accept = listHeader(request, "accept")?.toLowerCase() ?? "";
  return accept.includes("application/json") && !accept.includes("application/problem+json");
}

/** OAuth 2.0: errors in the form of RFC 6749. */
export const oauth: Dialect = Object.freeze({ refusal: withOAuthMembers, wantsPlainJson });
