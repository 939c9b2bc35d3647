import { type ErrorCode, ReeveError } from "./errors.js";

/** A request as an adapter passes it on: bytes and strings, uninterpreted. */
export interface NeutralRequest {
  readonly method: string;
  /** Path and query exactly as on the request line, without the mount prefix. */
  readonly target: string;
  /** Lower-case names. A header sent more than once is an array, or joined as the host's HTTP parser joins it. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Reads the body, at most once. `undefined` when it is longer than `limit` bytes. */
  readonly body: (limit: number) => Promise<Uint8Array | undefined>;
  /** The peer's address as the host knows it; used for rate limits only. */
  readonly remoteAddress?: string | undefined;
  /** The prefix the control plane is mounted under, for links in answers. */
  readonly mountPath?: string | undefined;
  /** Reeve owns all of /api/v1 here, so unknown paths and methods under it get 404 or 405. */
  readonly exclusive?: boolean | undefined;
  /** The host's own request object, for its `authenticate`. Reeve does not read it. */
  readonly host?: unknown;
}

/** The response, which an adapter writes unchanged. A body comes with its length. */
export interface NeutralResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  /** For the host's metrics; absent when no operation matched. */
  readonly operationId?: string | undefined;
  /** The code of a refusal, for the host's metrics; absent when the answer is none. */
  readonly errorCode?: ErrorCode | undefined;
}

/** In place of the value of a header that was sent more than once, because any text could be the value of one. */
export const DUPLICATE = Symbol("duplicate");

/** The value of a header. `undefined` when it is absent. */
export function singleHeader(request: NeutralRequest, name: string): string | undefined | typeof DUPLICATE {
  const value = request.headers[name];
  if (value === undefined || typeof value === "string") return value;
  return value.length > 1 ? DUPLICATE : value[0];
}

/** The value of a header that is a list, as one text however often it was sent. `undefined` when it is absent. */
export function listHeader(request: NeutralRequest, name: string): string | undefined {
  const value = request.headers[name];
  if (value === undefined || typeof value === "string") return value;
  return value.length > 0 ? value.join(",") : undefined;
}

/** The credentials of a request; `undefined` when it has none. 400 when it has several. */
export function authorizationOf(request: NeutralRequest): string | undefined {
  const value = singleHeader(request, "authorization");
  if (value === DUPLICATE) throw new ReeveError("invalid_request", "The header Authorization was sent more than once.");
  return value;
}

/** Whether a request has a token that its sender has put there. Browsers add passwords by themselves, and tokens never. */
export function sendsToken(request: NeutralRequest): boolean {
  return /^bearer /i.test(authorizationOf(request) ?? "");
}

/**
 * The host that a request was sent to, by its own headers. Headers of proxies are ignored. `null` when there are
 * several.
 */
export function hostOf({ headers }: NeutralRequest): string | null | undefined {
  const host = headers[":authority"] ?? headers.host;
  if (host === undefined || typeof host === "string") return host;
  return host.length > 1 ? null : host[0];
}

/**
 * Whether a browser says that a page of another site has sent a form. Newer ones say it themselves; of older ones the
 * origin of the page must be that of `baseUrl`, or the host that was asked. Programs say neither.
 */
export function isFromElsewhere(request: NeutralRequest, baseUrl: string): boolean {
  const site = singleHeader(request, "sec-fetch-site");
  if (site !== undefined) return site !== "same-origin" && site !== "none";
  const origin = singleHeader(request, "origin");
  if (origin === undefined || origin === new URL(baseUrl).origin) return false;
  return origin === DUPLICATE || !URL.canParse(origin) || new URL(origin).host !== hostOf(request);
}

/** Whether the sender names HTML before JSON, as browsers do and programs do not. */
export function wantsPage(request: NeutralRequest): boolean {
  const accept = listHeader(request, "accept")?.toLowerCase() ?? "";
  const html = accept.indexOf("text/html");
  const json = accept.indexOf("application/json");
  return html >= 0 && (json < 0 || html < json);
}

/** The number in `Last-Event-ID`, by which server-sent events go on. Other texts are ignored, as browsers send any. */
export function lastEventId(request: NeutralRequest): number | undefined {
  const value = singleHeader(request, "last-event-id");
  return typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/** What the sender calls itself. `undefined` where it says nothing, or more than one thing. */
export function userAgentOf(request: NeutralRequest): string | undefined {
  const value = singleHeader(request, "user-agent");
  return typeof value === "string" ? value : undefined;
}

/** Whether the sender wants what is stored now, and not what was stored a moment ago. */
export function wantsNewest(request: NeutralRequest): boolean {
  // Sent more than once, as by a proxy that adds its own, it is one list.
  const directives = listHeader(request, "cache-control")?.toLowerCase().split(",") ?? [];
  return directives.some((directive) => directive.trim() === "no-cache");
}

/** How much of an oversized body is read and discarded, in bytes, so that the client can read the answer. */
const LINGER = 4 * 1024 * 1024;

/** The part of a Node stream that `readBytes` uses. */
export interface ByteStream {
  readonly readableEnded: boolean;
  readonly destroyed: boolean;
  on(event: "data", listener: (chunk: Uint8Array) => void): unknown;
  on(event: "end" | "close", listener: () => void): unknown;
  on(event: "error", listener: (cause: Error) => void): unknown;
  off(event: "data", listener: (chunk: Uint8Array) => void): unknown;
  off(event: "end" | "close", listener: () => void): unknown;
  off(event: "error", listener: (cause: Error) => void): unknown;
  pause(): unknown;
}

/**
 * Reads a Node stream to its end and leaves it open, so that the answer can still be sent. `undefined` when it is
 * longer than `limit` bytes; 400 `invalid_request` when it breaks off.
 */
export function readBytes(stream: ByteStream, limit: number): Promise<Uint8Array | undefined> {
  // Uses events, because an async iterator costs more than the rest of reading a body.
  return new Promise((resolve, reject) => {
    let chunks: Uint8Array[] = [];
    let length = 0;
    const take = (chunk: Uint8Array) => {
      length += chunk.length;
      if (length > limit) chunks = [];
      else chunks.push(chunk);
      if (length <= limit + LINGER) return;
      stream.pause();
      end();
    };
    const end = () => {
      release();
      resolve(length > limit ? undefined : joined(chunks, length));
    };
    const breakOff = (cause?: Error) => {
      release();
      reject(new ReeveError("invalid_request", "The body broke off.", { cause }));
    };
    const close = () => breakOff();
    const release = () => {
      stream.off("data", take);
      stream.off("end", end);
      stream.off("error", breakOff);
      stream.off("close", close);
    };
    if (stream.readableEnded) return end();
    if (stream.destroyed) return breakOff();
    stream.on("end", end);
    stream.on("error", breakOff);
    stream.on("close", close);
    stream.on("data", take);
  });
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = chunks;
  if (first && chunks.length === 1) return first;
  const all = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    all.set(chunk, offset);
    offset += chunk.length;
  }
  return all;
}
