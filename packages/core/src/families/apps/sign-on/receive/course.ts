import type { Principal } from "#kernel/config/principal.js";
import type { SamlFailure } from "#ports/saml.js";
import type { Pending } from "./request.js";

/** What becomes of a request: a sign-on, the page to sign in, or a refusal that the application is told of. */
export type Course = "sign_on" | "sign_in" | SamlFailure["status"];

/**
 * What becomes of a request with whoever is there. A request that forces a sign-in takes only one that is newer than
 * itself. Where only the host knows when that was, it cannot be shown to be newer.
 */
export function courseOf(
  { tenantId, arrivedAt, forceAuthn, isPassive, takes, hostAsked }: Pending,
  principal: Principal | undefined,
): Course {
  const isFresh = !forceAuthn || (principal?.authenticatedAt ?? Number.NEGATIVE_INFINITY) >= arrivedAt;
  if (principal?.tenantId === tenantId && isFresh)
    return takes[principal.authenticatedBy ?? "unspecified"] ? "sign_on" : "NoAuthnContext";
  if (isPassive) return "NoPassive";
  return hostAsked ? "AuthnFailed" : "sign_in";
}
