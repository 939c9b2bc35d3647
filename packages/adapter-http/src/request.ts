import type { IncomingMessage } from "node:http";
import { type NeutralRequest, readBytes } from "@reeve/core";

/** What body parsers of Connect and Express add to a request of Node's. */
export interface ParsedRequest extends IncomingMessage {
  /** Set by a body parser of the host that ran before. */
  readonly body?: unknown;
  readonly rawBody?: Uint8Array;
}

/** What a host knows better than the request says. */
export type RequestFacts = Partial<Pick<NeutralRequest, "target" | "remoteAddress" | "mountPath" | "exclusive">>;

/** Carries a request of Node's into the control plane, uninterpreted. */
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

/** The bytes, or the nearest thing to them when a body parser of the host has been there before. */
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

/** A form is written back as a form: its media type still stands in the header. */
function encoded(body: unknown, type = ""): string {
  if (!type.toLowerCase().startsWith("application/x-www-form-urlencoded")) return JSON.stringify(body);
  return new URLSearchParams(body as Record<string, string>).toString();
}
