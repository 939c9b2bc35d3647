import { ReeveError } from "#kernel/http/errors.js";
import type { ReadContext } from "#kernel/operation/read-context.js";

/** 403 for a form of another site: it could sign somebody in as somebody else, who then sees what they do. */
export function requireOwnForm({ request }: Pick<ReadContext, "request">): void {
  if (request.fromElsewhere)
    throw new ReeveError("permission_denied", "The form was sent by a page of another site. Begin again here.");
}
