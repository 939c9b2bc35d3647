import { ConnectorError, errorOfStatus } from "@reeve/core/connectors";

/** What Octokit throws. */
interface RequestFailure extends Error {
  readonly status?: number;
  readonly response?: { readonly headers: Readonly<Record<string, string | number | undefined>> };
}

/** The failure of a request, without texts of the target. A write without a clear answer may have happened. */
export function failureOf(error: unknown, method: string): ConnectorError {
  const { cause, status = 0, response } = error as RequestFailure;
  if (ConnectorError.is(error)) return error;
  if (ConnectorError.is(cause)) return cause;
  const reads = method === "GET" || method === "HEAD";
  if (!response)
    return new ConnectorError(reads ? "transient" : "outcome_unknown", "The code host's answer cannot be read.", {
      code: "unreadable",
      cause: error,
    });
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headers))
    if (value !== undefined) headers.set(name, String(value));
  if (status >= 500 && !reads)
    return new ConnectorError("outcome_unknown", `The code host answered ${status}.`, { httpStatus: status });
  return errorOfStatus(status, headers, `The code host answered ${status}.`);
}
