import type { IncomingMessage } from "node:http";
import { type NeutralRequest, nodeBody } from "@reeve/core";

/** A request of Node with what body parsers of Connect and Express add. */
export interface ParsedRequest extends IncomingMessage {
  /** Set by a body parser of the host. */
  readonly body?: unknown;
  /** The body as it was read: bytes, or a text in UTF-8. Anything else is ignored. */
  readonly rawBody?: unknown;
}

/** Facts that the host knows better than the request. */
export type RequestFacts = Partial<Pick<NeutralRequest, "target" | "remoteAddress" | "mountPath" | "exclusive">>;

/** Converts a request of Node for the control plane, without interpreting it. */
export function nodeRequest(request: ParsedRequest, facts: RequestFacts = {}): NeutralRequest {
  return {
    method: request.method ?? "GET",
    target: facts.target ?? request.url ?? "/",
    headers: request.headersDistinct ?? request.headers,
    body: (limit) => nodeBody(request, limit),
    remoteAddress: facts.remoteAddress ?? request.socket?.remoteAddress,
    mountPath: facts.mountPath,
    exclusive: facts.exclusive,
    host: request,
  };
}
