import { boundedCache } from "../kernel/async/bounded-cache.js";
import type { NeutralRequest, NeutralResponse } from "../kernel/http/http.js";
import { type Mount, mountAt } from "./prefix.js";

/** Facts that a `Request` does not contain. */
export interface FetchOptions {
  /** The path that the control plane is mounted under; the root when absent. */
  readonly prefix?: string;
  /** Also answers unknown paths under /api/v1, with 404 or 405, instead of leaving them to the host. */
  readonly exclusive?: boolean;
  /** The peer's address. Without it all callers without a token share one rate limit. */
  readonly remoteAddress?: string;
}

type Handle = (request: NeutralRequest) => Promise<NeutralResponse | undefined>;

/** A host has few prefixes; more than these are made again. */
const mounts = boundedCache<string, Mount>(100);

/** The mount under a prefix, made once. */
export function mountOf(prefix = ""): Mount {
  const known = mounts.get(prefix);
  if (known) return known;
  const made = mountAt(prefix);
  mounts.set(prefix, made);
  return made;
}

/** Answers a web-standard `Request`. `undefined` when the host has to answer it. */
export async function answerFetch(
  handle: Handle,
  request: Request,
  { prefix, exclusive = false, remoteAddress }: FetchOptions = {},
): Promise<Response | undefined> {
  const mount = mountOf(prefix);
  const { origin } = new URL(request.url);
  const target = mount.targetOf(request.url.slice(origin.length).replace(/#.*$/s, ""));
  if (target === undefined) return undefined;
  const answer = await handle({
    method: request.method,
    target,
    headers: Object.fromEntries(request.headers),
    body: (limit) => bodyOf(request, limit),
    remoteAddress,
    mountPath: mount.path,
    exclusive,
    host: request,
  });
  return answer && responseOf(answer);
}

function responseOf({ status, headers, body }: NeutralResponse): Response {
  const hasNone = body === undefined || status === 204 || status === 304;
  return new Response(hasNone ? null : (body as Uint8Array<ArrayBuffer> | string), { status, headers });
}

/** The bytes of a body; `undefined` when there are more than `limit`. */
async function bodyOf(request: Request, limit: number): Promise<Uint8Array | undefined> {
  if (request.bodyUsed)
    throw new Error("The host has read the body: hand the request over before that, or a clone of it.");
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    length += part.value.length;
    if (length > limit) {
      // Not awaited, because the body of a clone ends only when the other one does.
      reader?.cancel().catch(() => undefined);
      return undefined;
    }
    chunks.push(part.value);
  }
  return Buffer.concat(chunks);
}
