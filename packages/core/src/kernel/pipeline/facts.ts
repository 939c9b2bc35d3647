import type { KernelOptions } from "../config/options.js";
import { authorizationOf, isFromElsewhere, type NeutralRequest, wantsPage } from "../http/http.js";
import type { TenantState } from "../operation/gates.js";
import type { RequestFacts } from "../operation/read-context.js";

type DialectFacts = Pick<RequestFacts, "authorization" | "query" | "wantsPage" | "fromElsewhere">;

/** What only operations of another protocol read themselves: credentials, the raw query, and what browsers say. */
export function dialectFacts(request: NeutralRequest, { baseUrl }: Pick<KernelOptions, "baseUrl">): DialectFacts {
  const mark = request.target.indexOf("?");
  const query = mark < 0 ? "" : request.target.slice(mark + 1);
  return {
    authorization: authorizationOf(request),
    query,
    wantsPage: wantsPage(request),
    fromElsewhere: isFromElsewhere(request, baseUrl),
  };
}

/** The facts with the caller's tenant. Written out, because a spread costs many times more on every request. */
export function boundFacts(facts: RequestFacts, tenant: TenantState | undefined, more?: DialectFacts): RequestFacts {
  const { requestId, nowMs, ifMatch, remoteAddress, host, lastEventId, userAgent, mayBeBehind, mountPath } = facts;
  const { authorization, query, wantsPage, fromElsewhere } = more ?? {};
  return {
    requestId,
    nowMs,
    ifMatch,
    remoteAddress,
    authorization,
    query,
    wantsPage,
    fromElsewhere,
    host,
    lastEventId,
    userAgent,
    mayBeBehind,
    mountPath,
    tenant,
  };
}
