import type { ControlPlane, Logger, NeutralRequest, NeutralResponse } from "@reeve/core";
import type { Drain } from "./drain.js";
import type { PeerOf } from "./peer.js";
import { type ServerSpans, traceNow } from "./server-span.js";

const PATH_SHOWN = 256;

/** A page of this server that is not an operation. It answers GET and HEAD. */
export type Page = () => Promise<NeutralResponse>;

export interface FrontOptions {
  readonly log: Logger;
  /** Pages by path. */
  readonly pages: ReadonlyMap<string, Page>;
  readonly peerOf: PeerOf;
  /** Headers of every answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Tells whether connections end with their answers. */
  readonly drain: Drain;
  readonly spans: ServerSpans;
  /** Called for each answer of a control plane, with its duration in seconds. */
  readonly observe?: (answer: NeutralResponse, seconds: number) => void;
}

/**
 * The control plane as this server exposes it. It answers every request, and logs each without query, token and body.
 */
export function front(controlPlane: ControlPlane, options: FrontOptions): ControlPlane {
  const { log, pages, peerOf, headers, drain, spans, observe } = options;
  const answerTo = async (request: NeutralRequest, path: string): Promise<NeutralResponse> => {
    const started = performance.now();
    const answered = await controlPlane.handle({ ...request, remoteAddress: peerOf(request) });
    const answer = answered ?? notFound(request);
    const ms = performance.now() - started;
    observe?.(answer, ms / 1_000);
    const facts = {
      method: request.method,
      path,
      status: answer.status,
      ms: Math.round(ms * 10) / 10,
      operationId: answer.operationId,
      requestId: answer.headers["x-request-id"],
      ...traceNow(),
    };
    if (answer.status >= 500) log.warn(facts, "request");
    else log.info(facts, "request");
    return answer;
  };
  return {
    ...controlPlane,
    async handle(request) {
      const page = pageOf(request, pages);
      if (page) return drain.closing(withHeaders(bodyless(request, await page()), headers));
      const path = shownPath(request);
      const answer = await spans.around(request, path, () => answerTo(request, path));
      return drain.closing(withHeaders(answer, headers));
    },
  };
}

function pageOf(request: NeutralRequest, pages: FrontOptions["pages"]): Page | undefined {
  return request.method === "GET" || request.method === "HEAD" ? pages.get(pathOf(request)) : undefined;
}

function bodyless({ method }: NeutralRequest, answer: NeutralResponse): NeutralResponse {
  return method === "HEAD" ? { ...answer, body: undefined } : answer;
}

function withHeaders(answer: NeutralResponse, headers: FrontOptions["headers"]): NeutralResponse {
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

function notFound(request: NeutralRequest): NeutralResponse {
  const problem = { type: "about:blank", title: "Not Found", status: 404, detail: "Nothing is here." };
  return bodyless(request, {
    status: 404,
    headers: { "content-type": "application/problem+json; charset=utf-8", "cache-control": "no-store" },
    body: JSON.stringify(problem),
  });
}

/**
 * The path for the log. Before the id of an application stands a nonce, which signs on whoever has it, and in that of a
 * registry its key.
 */
function shownPath(request: NeutralRequest): string {
  return pathOf(request)
    .replace(/[\w-]{43}(?=\/sapp_[^/]*$)/, "***")
    .replace(/\/registry\/[^/]+/, "/registry/***")
    .slice(0, PATH_SHOWN);
}

function pathOf({ target }: NeutralRequest): string {
  const query = target.indexOf("?");
  return query < 0 ? target : target.slice(0, query);
}
