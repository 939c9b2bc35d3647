import type { NeutralRequest } from "../http/http.js";
import type { InnerRequest } from "../operation/inner-requests.js";
import type { ReadContext } from "../operation/read-context.js";
import type { Pipeline } from "./pipeline.js";

/**
 * Sends a request of an operation for its caller. It is of this operation by itself and not by its path, so that no parameter leads
 * elsewhere.
 */
export function sendWithin(pipeline: Pipeline, { request: outer }: ReadContext, inner: InnerRequest) {
  const { operation, params, query, body, headers } = inner;
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_part, name: string) => params[name] ?? "");
  const asked = new URLSearchParams(query).toString();
  const bytes = new TextEncoder().encode(body === undefined ? "" : JSON.stringify(body));
  const request: NeutralRequest = {
    method: operation.method,
    target: `/${asked === "" ? "" : `?${asked}`}`,
    headers: {
      ...headers,
      ...(outer.host ? { host: outer.host } : {}),
      ...(outer.userAgent === undefined ? {} : { "user-agent": outer.userAgent }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      // An agent that has written something reads it back.
      "cache-control": "no-cache",
    },
    body: async (limit) => (bytes.length > limit ? undefined : bytes),
    remoteAddress: outer.remoteAddress,
    mountPath: outer.mountPath,
  };
  return pipeline.within(request, { operation, params, path }, outer);
}
