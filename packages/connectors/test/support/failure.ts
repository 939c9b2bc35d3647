import type { ConnectorError } from "@reeve/core/connectors";

/** What a call fails with. Rejects where it does not fail. */
export const failureOf = (promise: Promise<unknown>): Promise<ConnectorError> =>
  promise.then(
    () => {
      throw new Error("it did not fail");
    },
    (error: ConnectorError) => error,
  );
