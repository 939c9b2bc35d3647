import { ReeveError } from "#kernel/http/errors.js";
import type { GenericBody } from "#kernel/records/generic-body.js";

/** The state that a body asks for in `status`. 400 when absent. */
export function requireStatus(body: Pick<GenericBody, "status">): string {
  if (body.status !== undefined) return body.status;
  const message = "Say which state to move to.";
  throw new ReeveError("invalid_request", message, {
    errors: [{ pointer: "/status", code: "invalid_request", message }],
  });
}
