import type { IncomingMessage } from "node:http";
import { type NeutralRequest, readBytes } from "@reeve/core";

/** A request of Node with what body parsers of Connect and Express add. */
export interface ParsedRequest extends IncomingMessage {
  /** Set by a body parser of the host. */
  readonly body?: unknown;
  readonly rawBody?: Uint8Array;
}

/** Facts that the host knows better than the request. */
export type RequestFacts = Partial<Pick<NeutralRequest, "target" | "remoteAddress" | "mountPath" | "exclusive">>;

/** Converts a request of Node for the control plane, without interpreting it. */
export function nodeRequest(request: ParsedRequest, facts: RequestFacts = {}): NeutralRequest {
  return {
    method: request.method ?? "GET",
    target: facts.target ?? request.url ?? "/",
    headers: request.headersDistinct ?? request.headers,
    body: (limit) => bodyOf(request, limit),
    remoteAddress: facts.remoteAddress ?? request.socket?.remoteAddress,
    mountPath: facts.mountPath,
    exclusive: facts.exclusive,
    host: request,
  };
}

/** The bytes of the body, or an equivalent when the host has already parsed it. */
async function bodyOf(request: ParsedRequest, limit: number): Promise<Uint8Array | undefined> {
  if (!request.readableEnded) return readBytes(request, limit);
  const bytes = request.rawBody ?? bytesOf(request);
  return bytes.length > limit ? undefined : bytes;
}

function bytesOf({ body, headers }: ParsedRequest): Uint8Array {
  if (body instanceof Uint8Array) return body;
  if (body !== undefined) return Buffer.from(typeof body === "string" ? body : encoded(body, headers["content-type"]));
  if (headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0)
    return new Uint8Array();
  throw new Error(
    "The host has read the body and kept nothing of it: mount the control plane before what reads bodies.",
  );
}

/** A parsed form is encoded as a form again, to match its media type. */
function encoded(body: unknown, type = ""): string {
  if (!type.toLowerCase().startsWith("application/x-www-form-urlencoded")) return JSON.stringify(body);
  return new URLSearchParams(body as Record<string, string>).toString();
}
