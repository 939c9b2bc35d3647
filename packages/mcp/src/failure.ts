import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, UnauthorizedError } from "@modelcontextprotocol/client";
import { type McpFailure, type McpFailureCode, ReeveError } from "@reeve/core";

/** Thrown during a call; `failureOf` converts it. */
export class CallFailed extends Error {
  override readonly name = "CallFailed";

  constructor(
    readonly code: McpFailureCode,
    readonly reason: string,
  ) {
    super(`${code}: ${reason}`);
  }
}

/** Translates an error into fixed texts. The text of an error may quote the server, so none is passed on. */
export function failureOf(error: unknown): McpFailure {
  if (error instanceof CallFailed) return { code: error.code, reason: error.reason };
  if (ReeveError.is(error)) return ofEgress(error);
  if (error instanceof UnauthorizedError) return { code: "auth_required", reason: "unauthorized" };
  if (errorAnswer(error) !== undefined) return ERROR_ANSWER;
  if (error instanceof SdkHttpError) return ofStatus(error.status);
  if (error instanceof SdkError) return ofClient(error.code);
  return { code: "protocol_error", reason: "invalid_answer" };
}

/** The server answered with an error of the protocol. */
export const ERROR_ANSWER: McpFailure = { code: "protocol_error", reason: "error_answer" };

/** The code of a protocol error that a server answered. Over HTTP it may have an HTTP status as well. */
export function errorAnswer(error: unknown): number | undefined {
  if (error instanceof ProtocolError) return error.code;
  if (!(error instanceof SdkHttpError) || typeof error.data.text !== "string") return undefined;
  try {
    const code: unknown = JSON.parse(error.data.text)?.error?.code;
    return typeof code === "number" ? code : undefined;
  } catch {
    return undefined;
  }
}

/** The failure for an HTTP status other than success. */
export function ofStatus(status: number): McpFailure {
  const reason = `http_${status}`;
  if (status === 401 || status === 403) return { code: "auth_required", reason };
  if (status >= 500 || status === 429) return { code: "unreachable", reason };
  if (status >= 300 && status < 400) return { code: "misconfigured", reason: "redirect" };
  return { code: status === 404 || status === 405 || status === 410 ? "misconfigured" : "protocol_error", reason };
}

const EGRESS: Readonly<Record<string, McpFailureCode>> = {
  too_large: "too_large",
  protocol: "protocol_error",
  encoding: "protocol_error",
  redirect: "misconfigured",
};

function ofEgress({ code, members }: ReeveError): McpFailure {
  if (code === "target_not_allowed") return { code, reason: "egress" };
  if (code === "connector_timeout") return { code: "timeout", reason: "egress" };
  const reason = String(members.reason ?? "failed");
  return { code: EGRESS[reason] ?? "unreachable", reason };
}

const CLIENT: Readonly<Partial<Record<SdkErrorCode, McpFailure>>> = {
  [SdkErrorCode.RequestTimeout]: { code: "timeout", reason: "no_answer" },
  [SdkErrorCode.ConnectionClosed]: { code: "unreachable", reason: "closed" },
  [SdkErrorCode.NotConnected]: { code: "unreachable", reason: "closed" },
  [SdkErrorCode.EraNegotiationFailed]: { code: "protocol_error", reason: "version" },
};

function ofClient(code: SdkErrorCode): McpFailure {
  return CLIENT[code] ?? { code: "protocol_error", reason: "invalid_answer" };
}
