import type { IncomingMessage } from "node:http";
import { type NeutralRequest, readBytes } from "@reeve/core";

/** What Express and its body parsers add to a request of Node's. */
export interface HostRequest extends IncomingMessage {
  readonly baseUrl?: string;
  /** Set by a body parser of the host that ran before. */
  readonly body?: unknown;
  readonly rawBody?: Uint8Array;
  /** The peer as the host's `trust proxy` setting sees it. */
  readonly ip?: string | undefined;
}

/** Carries a request of Node's into the control plane, uninterpreted. */
export function neutralRequest(request: HostRequest): NeutralRequest {
  return {
    method: request.method ?? "GET",
    target: request.url ?? "/",
    headers: request.headersDistinct ?? request.headers,
    body: (limit) => bodyOf(request, limit),
    remoteAddress: request.ip ?? request.socket?.remoteAddress,
    mountPath: request.baseUrl,
  };
}

/** The bytes, or the nearest thing to them when the host has parsed the body already. */
async function bodyOf(request: HostRequest, limit: number): Promise<Uint8Array | undefined> {
  if (!request.readableEnded) return readBytes(request.iterator({ destroyOnReturn: false }), limit);
  const bytes = request.rawBody ?? bytesOf(request.body);
  return bytes.length > limit ? undefined : bytes;
}

function bytesOf(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body;
  if (body === undefined) return new Uint8Array();
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}
