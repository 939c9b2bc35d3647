import { ConnectorError } from "#connectors/index.js";
import { publishedError } from "#kernel/http/store-errors.js";

/** Failures of the own store, which say nothing about the connected system. */
const OF_THE_STORE: ReadonlySet<string> = new Set([
  "storage_unavailable",
  "storage_busy",
  "storage_full",
  "outcome_unknown",
  "query_timeout",
  "shutting_down",
]);

/** The failure of a job as a `ConnectorError`. What the own store failed has the code `storage_unavailable`. */
export function jobFailure(error: unknown): ConnectorError {
  if (ConnectorError.is(error)) return error;
  const ofTheStore = OF_THE_STORE.has(publishedError(error).code);
  return new ConnectorError("transient", ofTheStore ? "The store did not answer." : "The work on it failed.", {
    ...(ofTheStore ? { code: "storage_unavailable" } : {}),
    cause: error,
  });
}
