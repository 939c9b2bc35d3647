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
  if (status === 401) return { code: "auth_required", reason };
  if (status === 403) return { code: "forbidden", reason };
  if (status >= 500 || status === 429) return { code: "unreachable", reason };
  if (status >= 300 && status < 400) return { code: "misconfigured", reason: "redirect" };
  return { code: status === 404 || status === 405 || status === 410 ? "misconfigured" : "protocol_error", reason };
}

/** What servers write that look at the name in the header `Host` or `Origin`. */
const HOST_CHECK = /\b(?:hosts?|host ?names?|origins?|dns|rebinding)\b|only allowed at/i;

/** The failure for a refused request, by what the answer says beside its status. Its text is only matched. */
export function ofRefusal(status: number, challenge: string | null, body: string): McpFailure {
  if (status === 401 || (status === 403 && challenge !== null)) return ofCredentials(status);
  return HOST_CHECK.test(body) ? { code: "misconfigured", reason: "host_check" } : ofStatus(status);
}

const ofCredentials = (status: number): McpFailure => ({ code: "auth_required", reason: `http_${status}` });

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
