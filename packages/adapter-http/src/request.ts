import type { IncomingMessage } from "node:http";
import { type NeutralRequest, readBytes } from "@reeve/core";

/** What a host knows better than the request says. */
export type RequestFacts = Partial<
  Pick<NeutralRequest, "target" | "body" | "remoteAddress" | "mountPath" | "exclusive">
>;

/** Carries a request of Node's into the control plane, uninterpreted. */
export function nodeRequest(request: IncomingMessage, facts: RequestFacts = {}): NeutralRequest {
  return {
    method: request.method ?? "GET",
    target: facts.target ?? request.url ?? "/",
    headers: request.headersDistinct ?? request.headers,
    body: facts.body ?? ((limit) => readBytes(request, limit)),
    remoteAddress: facts.remoteAddress ?? request.socket?.remoteAddress,
    mountPath: facts.mountPath,
    exclusive: facts.exclusive,
    host: request,
  };
}
