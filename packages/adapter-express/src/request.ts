import type { IncomingMessage } from "node:http";
import { nodeRequest } from "@reeve/adapter-http";
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

/** Carries a request of Express into the control plane, uninterpreted. */
export function neutralRequest(request: HostRequest, exclusive: boolean): NeutralRequest {
  const { ip, baseUrl } = request;
  const body = (limit: number) => bodyOf(request, limit);
  return nodeRequest(request, { body, remoteAddress: ip, mountPath: baseUrl, exclusive });
}

/** The bytes, or the nearest thing to them when a body parser of the host has been there before. */
async function bodyOf(request: HostRequest, limit: number): Promise<Uint8Array | undefined> {
  if (!request.readableEnded) return readBytes(request, limit);
  const bytes = request.rawBody ?? bytesOf(request);
  return bytes.length > limit ? undefined : bytes;
}

function bytesOf({ body, headers }: HostRequest): Uint8Array {
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
