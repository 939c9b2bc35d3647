import type { ParseAs } from "./call-types.js";
import { WITHOUT_IDEMPOTENCY_KEY } from "./operations.generated.js";

export type Verb = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What a call takes at run time, whatever its operation. */
export interface AnyInit {
  readonly params?: { readonly path?: Record<string, unknown>; readonly query?: Record<string, unknown> };
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly ifMatch?: string | { readonly version: number };
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly parseAs?: ParseAs;
}

/**
 * The request as openapi-fetch takes it, with the headers that make it safe to repeat and bind it to what was read. The body of the
 * answer is left to `readBody`, since openapi-fetch reads every type in the same way.
 */
export function requestOf(verb: Verb, path: string, init: AnyInit = {}): object {
  const { idempotencyKey, ifMatch, ...rest } = init;
  const isKeyed = (verb === "POST" || verb === "PATCH") && !WITHOUT_IDEMPOTENCY_KEY.has(`${verb} ${path}`);
  const headers = {
    ...(isKeyed ? { "idempotency-key": idempotencyKey ?? crypto.randomUUID() } : {}),
    ...(ifMatch === undefined ? {} : { "if-match": typeof ifMatch === "string" ? ifMatch : `"${ifMatch.version}"` }),
    ...init.headers,
  };
  return { ...rest, headers, parseAs: "stream" };
}

/** The body of an answer as it was asked for; `undefined` where there is none. */
export async function readBody(response: Response, parseAs: ParseAs | undefined): Promise<unknown> {
  if (parseAs === "stream") return response.body;
  const text = await response.text();
  if (parseAs === "text") return text;
  if (text === "") return undefined;
  return /\bjson$/.test(mediaType(response)) ? JSON.parse(text) : text;
}

function mediaType(response: Response): string {
  return response.headers.get("content-type")?.split(";")[0]?.trim() ?? "";
}
