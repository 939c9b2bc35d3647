import type { ControlPlane, NeutralResponse } from "@reeve/core";
import { publishedBy } from "../openapi/index.js";
import type { RawRequest } from "./case.js";
import { encodeRequest, exchange, parseAnswer, type WireAnswer, wireHeaders } from "./wire.js";

/** The host's 404 text for requests that are not Reeve's. */
export const HOST_NOT_FOUND = "This page is not the control plane's.";

/** Headers that servers add. All others must come from the control plane. */
const FRAMING = ["date", "connection", "keep-alive", "content-length", "transfer-encoding"];

/** An answer in the form for comparison. */
export interface Seen {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A running server and the mount prefix of the control plane. */
export interface Mounted {
  readonly url: string;
  readonly prefix: string;
}

/** The server's answer to a request on a connection of its own. */
export async function overTheWire({ url, prefix }: Mounted, request: RawRequest, requestId: string): Promise<Seen> {
  const target = request.target.startsWith("/") ? prefix + request.target : request.target;
  const bytes = encodeRequest({ ...request, target }, wireHeaders(request, new URL(url).host, requestId));
  return seen(parseAnswer(await exchange(url, bytes)));
}

function seen({ status, headers, body }: WireAnswer): Seen {
  const own = Object.entries(headers).filter(([name]) => !FRAMING.includes(name));
  return { status, headers: Object.fromEntries(own), body: withoutSecrets(body) };
}

/**
 * The control plane's own answer; `undefined` when it leaves the request to the host. Throws for one that the published
 * OpenAPI document does not allow.
 */
export async function inProcess(
  controlPlane: ControlPlane,
  { url, prefix }: Mounted,
  request: RawRequest,
  requestId: string,
): Promise<Seen | undefined> {
  const headers: Record<string, string[]> = Object.create(null);
  for (const [name, value] of wireHeaders(request, new URL(url).host, requestId)) {
    // White space around a value does not belong to it.
    headers[name.toLowerCase()] = [...(headers[name.toLowerCase()] ?? []), value.trim()];
  }
  const bytes = Buffer.from(request.body ?? "");
  const answer = await controlPlane.handle({
    method: request.method,
    target: request.target,
    headers,
    body: async (limit) => (bytes.length > limit ? undefined : bytes),
    remoteAddress: "127.0.0.1",
    mountPath: prefix,
    exclusive: true,
  });
  if (!answer) return undefined;
  const text = Buffer.from(answer.body ?? "").toString("utf8");
  const { operationId, status, headers: said } = answer;
  const faults = publishedBy(controlPlane).answerFaults({
    operationId,
    status,
    contentType: said["content-type"],
    text,
  });
  if (faults.length > 0) throw new Error(`${request.method} ${request.target}: by /openapi.json ${faults.join("; ")}`);
  return plainly(answer);
}

function plainly({ status, headers, body }: NeutralResponse): Seen {
  const own = Object.entries(headers).filter(([name]) => !FRAMING.includes(name));
  return { status, headers: Object.fromEntries(own), body: withoutSecrets(Buffer.from(body ?? "")) };
}

// Signatures and sealed values differ between two control planes, so only their presence is compared.
function withoutSecrets(body: Buffer): string {
  return body
    .toString("latin1")
    .replaceAll(/"(token|refreshToken|access_token|refresh_token|nextCursor)":"[\w.-]+"/g, '"$1":"(sealed)"');
}
