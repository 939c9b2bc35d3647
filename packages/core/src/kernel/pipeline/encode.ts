import { Row, recordText } from "#store/row.js";
import type { KernelOptions } from "../config/options.js";
import { type ErrorCode, problemDocument, type ReeveError } from "../http/errors.js";
import type { NeutralResponse } from "../http/http.js";
import { entityTag, matches, type VersionCondition } from "../http/version-condition.js";
import type { DescribedOperation, Operation } from "../operation/operation.js";
import { isChangedByTime, isRecord, Page, Raw } from "../records/outcome.js";
import type { BodyWarning } from "./unknown-fields.js";

export const API_VERSION = "1.0.0";
const JSON_TYPE = "application/json; charset=utf-8";
export const PROBLEM_TYPE = "application/problem+json; charset=utf-8";

/** Status, body and headers of an answer, before the common headers. */
export interface Answer {
  readonly status: number;
  readonly body: string | Uint8Array | null;
  readonly headers: Record<string, string>;
  /** The body differs from what is stored under the version in its ETag. */
  readonly changedByTime?: true;
  /** The code of a refusal. */
  readonly errorCode?: ErrorCode;
}

/** Encodes a handler's result. Stored text is passed through unchanged. */
export function encodeResult(operation: Operation, result: unknown, mountPath: string): Answer {
  const { status } = operation.success;
  if (Raw.is(result)) return encodeRaw(result, status);
  if (result === undefined || status === 204) return { status, body: null, headers: {} };
  if (Page.is(result)) return { status, body: result.text, headers: { "content-type": JSON_TYPE } };
  if (Row.is(result)) {
    return { status, body: result.text, headers: { "content-type": JSON_TYPE, etag: entityTag(result.version) } };
  }
  const headers: Record<string, string> = { "content-type": JSON_TYPE };
  if (!isRecord(result)) return { status, body: JSON.stringify(result), headers };
  headers.etag = entityTag(result.version);
  if (status === 201 && !operation.path.includes("{")) headers.location = `${mountPath}${operation.path}/${result.id}`;
  return { status, body: recordText(result), headers, ...(isChangedByTime(result) ? { changedByTime: true } : {}) };
}

function encodeRaw(raw: Raw, status: number): Answer {
  if (status === 204) return { status, body: null, headers: { ...raw.options.headers } };
  const charset = /^(?:text\/|application\/json)/.test(raw.contentType) ? "; charset=utf-8" : "";
  return {
    status: raw.options.status ?? status,
    body: raw.body,
    headers: { "content-type": raw.contentType + charset, ...raw.options.headers },
  };
}

/** Adds warnings about the request body to a JSON answer. */
export function withWarnings(answer: Answer, warnings: readonly BodyWarning[]): Answer {
  if (warnings.length === 0 || typeof answer.body !== "string" || answer.headers["content-type"] !== JSON_TYPE)
    return answer;
  const reported = JSON.parse(answer.body) as { readonly warnings?: readonly unknown[] };
  return { ...answer, body: JSON.stringify({ ...reported, warnings: [...(reported.warnings ?? []), ...warnings] }) };
}

/** 304 when the caller already has this version and time has not changed it. */
export function notModified(answer: Answer, condition: VersionCondition | undefined): Answer {
  const { etag } = answer.headers;
  if (condition === undefined || etag === undefined || answer.changedByTime || answer.status !== 200) return answer;
  if (!matches(condition, etag)) return answer;
  return { status: 304, body: null, headers: { etag } };
}

/** The problem document of a refusal. `plain` sends it as `application/json`. */
export function encodeProblem(error: ReeveError, requestId: string, options: KernelOptions, plain = false): Answer {
  const missing = error.code === "token_missing" && options.missingTokenStatus === 403;
  const status = missing ? 403 : error.status;
  const document = problemDocument(error, requestId, options.errorTypeBase);
  const headers: Record<string, string> = { "content-type": plain ? JSON_TYPE : PROBLEM_TYPE, ...error.headers };
  if (status === 401) headers["www-authenticate"] ??= challenge(error);
  return { status, body: JSON.stringify({ ...document, status }), headers, errorCode: error.code };
}

/**
 * The refusal of an operation that takes tokens of its own. One for want of a token is 401, and says where clients read how to get one
 * (RFC 9728).
 */
export function challenged(
  error: ReeveError,
  requestId: string,
  { path }: DescribedOperation,
  options: KernelOptions,
): Answer {
  const refused = encodeProblem(error, requestId, { ...options, missingTokenStatus: 401 });
  if (refused.status !== 401) return refused;
  const metadata = `resource_metadata="${options.baseUrl}${RESOURCE_METADATA}${path}"`;
  const said = challenge(error) === "Bearer" ? `Bearer ${metadata}` : `${challenge(error)}, ${metadata}`;
  return { ...refused, headers: { ...refused.headers, "www-authenticate": said } };
}

/** Where the metadata of protected resources stand, before the path of each (RFC 9728). */
export const RESOURCE_METADATA = "/.well-known/oauth-protected-resource";

function challenge(error: ReeveError): string {
  return error.code === "token_missing" ? "Bearer" : 'Bearer error="invalid_token"';
}

/** Adds the headers that every answer carries. */
export function toResponse(
  answer: Answer,
  limits: Readonly<Record<string, string>>,
  requestId: string,
  head: boolean,
  operation: Operation | undefined,
): NeutralResponse {
  const body = head || answer.body === null ? undefined : answer.body;
  const headers: Record<string, string> = {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-request-id": requestId,
    "api-version": API_VERSION,
  };
  if (operation?.dialect) headers.pragma = "no-cache";
  Object.assign(headers, limits, answer.headers);
  if (body !== undefined) headers["content-length"] = String(Buffer.byteLength(body));
  return { status: answer.status, headers, body, operationId: operation?.id, errorCode: answer.errorCode };
}
