import { ReeveError } from "../http/errors.js";
import { isFromElsewhere, type NeutralRequest, sendsToken, singleHeader } from "../http/http.js";
import { effectOf, type Operation } from "../operation/operation.js";

/**
 * 403 for an act that a page of another site could have sent without asking: a POST with no token and no JSON, to which the
 * browser adds by itself what a host knows its people by. Any other method and JSON are asked for first, so that the host decides.
 * The pages of sign-on look at their own forms, since they also take messages of applications.
 */
export function refuseForeignForm(operation: Operation, request: NeutralRequest, baseUrl: string): void {
  if (operation.method !== "POST" || operation.dialect || effectOf(operation) === "read") return;
  if (sendsToken(request) || isJson(request) || !isFromElsewhere(request, baseUrl)) return;
  throw new ReeveError(
    "permission_denied",
    "A page of another site has sent this. Send it with a token, or with the Content-Type application/json.",
  );
}

/** The header that pages of Reeve send with what changes something. A form cannot, and other origins must ask first. */
const PAGE_HEADER = "x-reeve-page";

/**
 * 403 for a change by the cookie of a browser session that no page of Reeve has meant. A browser adds the cookie by itself, so
 * that its sender must be of the same origin, and must show it with a header.
 */
export function refuseUnmeant(operation: Operation, request: NeutralRequest, baseUrl: string): void {
  if (effectOf(operation) === "read") return;
  if (isFromElsewhere(request, baseUrl))
    throw new ReeveError("permission_denied", "A page of another origin has sent this with the cookie of a session.");
  if (singleHeader(request, PAGE_HEADER) !== "1")
    throw new ReeveError(
      "permission_denied",
      "A cookie alone changes nothing. Send the header X-Reeve-Page: 1 with it, or a bearer token in its place.",
    );
}

function isJson(request: NeutralRequest): boolean {
  const type = singleHeader(request, "content-type");
  return typeof type === "string" && /^application\/(?:[\w.+-]+\+)?json\b/i.test(type);
}
