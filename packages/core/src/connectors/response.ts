import { ConnectorError, type ErrorClass } from "./error.js";

const CLASSES: Readonly<Record<number, ErrorClass>> = {
  400: "invalid",
  401: "auth",
  403: "permission",
  404: "not_found",
  409: "conflict",
  410: "not_found",
  412: "conflict",
  422: "invalid",
  501: "unsupported",
};

/**
 * The failure that a status of HTTP means, whatever the answer says. 403 counts as a limit when the answer says when
 * to come back. A 5xx is `transient`; for a write that may have happened, throw `outcome_unknown` instead.
 */
export function errorOfStatus(status: number, headers: Headers, message: string): ConnectorError {
  const named = retryAfter(headers);
  const spent = headers.get("x-ratelimit-remaining") === "0";
  const limited = status === 429 || (status === 403 && (spent || named !== undefined));
  const errorClass = limited ? "rate_limited" : (CLASSES[status] ?? (status >= 500 ? "transient" : "fatal"));
  const retryAfterMs = named ?? (limited ? reset(headers) : undefined);
  return new ConnectorError(errorClass, message, {
    httpStatus: status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** The answer if its status is 2xx. Rejects with `ConnectorError` otherwise, after the body is given up. */
export async function expectOk(response: Response, what: string): Promise<Response> {
  if (response.ok) return response;
  if (!response.bodyUsed) await response.body?.cancel();
  throw errorOfStatus(response.status, response.headers, `${what} failed: the target answered ${response.status}.`);
}

/** Headers with the time from which calls are let through again: seconds since 1970, or seconds from now. */
const RESETS = ["x-ratelimit-reset", "x-rate-limit-reset", "ratelimit-reset"];
const SINCE_1970 = 1_000_000_000;

function retryAfter(headers: Headers): number | undefined {
  const given = headers.get("retry-after");
  if (given === null) return undefined;
  const ms = /^\d+$/.test(given) ? Number(given) * 1_000 : Date.parse(given) - Date.now();
  return Number.isNaN(ms) ? undefined : ms;
}

/** When the window of a limit ends, for targets that do not send `Retry-After`. */
function reset(headers: Headers): number | undefined {
  const given = RESETS.map((name) => headers.get(name)).find((value) => value !== null && /^\d{1,12}$/.test(value));
  if (given === undefined) return undefined;
  const seconds = Number(given);
  return seconds < SINCE_1970 ? seconds * 1_000 : seconds * 1_000 - Date.now();
}
