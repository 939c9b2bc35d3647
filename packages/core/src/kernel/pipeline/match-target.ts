import { ReeveError } from "../http/errors.js";
import type { NeutralRequest } from "../http/http.js";
import { parsePath } from "../http/target.js";
import type { Operation } from "../operation/operation.js";
import type { Router } from "./router.js";

const OWNED = /^\/api\/v1(?:[/?]|$)/;

/** The operation of a request, with its parsed path. */
export interface MatchedTarget {
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
  readonly path: string;
}

/**
 * Finds the operation of a request. `undefined` leaves the request to the host. In an exclusive mount everything under
 * /api/v1 gets an answer, including 404 and 405.
 */
export function matchTarget(router: Router, request: NeutralRequest): MatchedTarget | ReeveError | undefined {
  const { exclusive = false } = request;
  const owned = exclusive && OWNED.test(request.target);
  let path: string | undefined;
  try {
    path = parsePath(request.target);
  } catch (error) {
    return owned ? (error as ReeveError) : undefined;
  }
  if (path === undefined) return owned ? new ReeveError("route_not_found") : undefined;
  const match = router.match(request.method, path);
  if (match.kind === "operation") return { operation: match.operation, params: match.params, path };
  if (!owned && !(exclusive && OWNED.test(path))) return undefined;
  if (match.kind === "none") return new ReeveError("route_not_found");
  return new ReeveError("method_not_allowed", undefined, { headers: { allow: match.allow.join(", ") } });
}
