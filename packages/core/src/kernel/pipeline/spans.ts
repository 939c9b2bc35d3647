import { SPAN_KIND, type SpanFacts } from "../async/span.js";
import type { Principal } from "../config/principal.js";
import type { Operation } from "../operation/operation.js";
import type { RequestFacts } from "../operation/read-context.js";
import type { MatchedTarget } from "./match-target.js";

/** The span of an operation over HTTP. The server's own span, where the host makes one, is its parent. */
export function requestSpan({ operation }: MatchedTarget, { requestId, mountPath }: RequestFacts): SpanFacts {
  const attributes = {
    "reeve.operation": operation.id,
    "reeve.request.id": requestId,
    "http.request.method": operation.method,
    "http.route": mountPath + operation.path,
  };
  return { name: operation.id, kind: SPAN_KIND.internal, attributes };
}

/** The span of an operation that the host calls in process. */
export function callSpan({ id }: Operation, caller: Principal | undefined): SpanFacts {
  const attributes = { "reeve.operation": id, ...(caller ? { "reeve.tenant.id": caller.tenantId } : {}) };
  return { name: id, kind: SPAN_KIND.internal, attributes };
}
