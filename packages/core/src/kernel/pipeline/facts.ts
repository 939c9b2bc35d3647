import type { KernelOptions } from "../config/options.js";
import {
  authorizationOf,
  DUPLICATE,
  isFromElsewhere,
  type NeutralRequest,
  singleHeader,
  wantsPage,
} from "../http/http.js";
import type { TenantState } from "../operation/gates.js";
import type { RequestFacts } from "../operation/read-context.js";

type DialectFacts = Pick<RequestFacts, "authorization" | "cookie" | "query" | "wantsPage" | "fromElsewhere">;

/** What only operations of another protocol read themselves: credentials, cookies, the raw query, and what browsers say. */
export function dialectFacts(request: NeutralRequest, { baseUrl }: Pick<KernelOptions, "baseUrl">): DialectFacts {
  const mark = request.target.indexOf("?");
  const query = mark < 0 ? "" : request.target.slice(mark + 1);
  const cookie = singleHeader(request, "cookie");
  return {
    authorization: authorizationOf(request),
    cookie: cookie === DUPLICATE ? undefined : cookie,
    query,
    wantsPage: wantsPage(request),
    fromElsewhere: isFromElsewhere(request, baseUrl),
  };
}

/** The headers that an operation reads by itself. One that was sent several times is empty, so that it says nothing and is there. */
export function namedHeaders(request: NeutralRequest, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = singleHeader(request, name);
      return value === undefined ? [] : [[name, value === DUPLICATE ? "" : value]];
    }),
  );
}

/** The facts with the caller's tenant. Written out, because a spread costs many times more on every request. */
export function boundFacts(
  facts: RequestFacts,
  tenant: TenantState | undefined,
  more?: DialectFacts,
  headers?: RequestFacts["headers"],
): RequestFacts {
  const { requestId, nowMs, ifMatch, remoteAddress, host, lastEventId, userAgent, mayBeBehind } = facts;
  const { acceptEncoding, mountPath } = facts;
  const { authorization, cookie, query, wantsPage, fromElsewhere } = more ?? {};
  return {
    requestId,
    nowMs,
    ifMatch,
    remoteAddress,
    authorization,
    cookie,
    query,
    wantsPage,
    fromElsewhere,
    host,
    lastEventId,
    userAgent,
    mayBeBehind,
    acceptEncoding,
    mountPath,
    headers,
    tenant,
  };
}
