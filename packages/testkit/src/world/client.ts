import type { ControlPlane, NeutralResponse } from "@reeve/core";
import type { Operation } from "@reeve/core/reference";
import { publishedBy } from "../openapi/index.js";
import { answerMistakes, bodyText } from "./conformance.js";

/** The sender and content of a request. */
export interface Sending {
  readonly token?: string | undefined;
  readonly body?: unknown;
  /** In place of `body`: raw bytes. */
  readonly bytes?: Uint8Array | string;
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly remoteAddress?: string;
  /** The body must be as the published OpenAPI document says. Otherwise it may be more than callers are told of. */
  readonly asPublished?: boolean;
}

/** An answer with its body as text and, if it is JSON, as a value. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any;
  readonly operationId: string | undefined;
}

export type Send = (method: string, target: string, sending?: Sending) => Promise<Answer>;

/**
 * Sends requests through `handle` and checks every answer against its operation: status, headers, schema, problem
 * document and documented code, and against the published OpenAPI document. Throws when they differ. Answers may hold the
 * properties in `later`, which a later release adds.
 */
export function clientOf(controlPlane: ControlPlane, later: readonly string[] = []): Send {
  const operations = new Map<string, Operation>(controlPlane.operations.map((operation) => [operation.id, operation]));
  return async (method, target, sending = {}) => {
    const bytes = bytesOf(sending);
    const response = await controlPlane.handle({
      method,
      target,
      headers: {
        ...(sending.body === undefined ? {} : { "content-type": "application/json" }),
        ...(sending.token === undefined ? {} : { authorization: `Bearer ${sending.token}` }),
        ...sending.headers,
      },
      body: async (limit) => (bytes.length > limit ? undefined : bytes),
      remoteAddress: sending.remoteAddress ?? "192.0.2.1",
      exclusive: true,
    });
    if (!response) throw new Error(`${method} ${target} is not ours`);
    const operation = response.operationId === undefined ? undefined : operations.get(response.operationId);
    const mistakes = [
      ...answerMistakes(operation, response, method === "HEAD", later),
      ...documentFaults(controlPlane, sending, response),
    ];
    if (mistakes.length > 0) {
      throw new Error(
        `${method} ${target} (${response.operationId}) answered ${response.status}: ${mistakes.join("; ")}`,
      );
    }
    return answerOf(response);
  };
}

/** How an answer differs from the published document, and the body that led to it where it must not. */
function documentFaults(
  controlPlane: ControlPlane,
  { body, asPublished }: Sending,
  response: NeutralResponse,
): string[] {
  const published = publishedBy(controlPlane);
  const { operationId, status, headers } = response;
  const text = response.body === undefined ? "" : bodyText(response);
  const sent = asPublished && body !== undefined ? JSON.stringify(body) : "";
  return [
    ...published.answerFaults({ operationId, status, contentType: headers["content-type"], text }),
    ...published.requestFaults(operationId, "application/json", sent).map((fault) => `the request: ${fault}`),
  ].map((fault) => `by /openapi.json ${fault}`);
}

function bytesOf({ body, bytes }: Sending): Uint8Array {
  if (bytes !== undefined) return typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes;
  return body === undefined ? new Uint8Array() : new TextEncoder().encode(JSON.stringify(body));
}

function answerOf(response: NeutralResponse): Answer {
  const text = response.body === undefined ? "" : bodyText(response);
  const isJson = /[/+]json\b/.test(response.headers["content-type"] ?? "") && text !== "";
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? JSON.parse(text) : undefined,
    operationId: response.operationId,
  };
}
