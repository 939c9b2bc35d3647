import { ConnectorError, type ErrorClass } from "@reeve/core/connectors";

/** Ends a transaction because the server, or the connector for it, says no on purpose. */
export class Declined extends Error {
  constructor(readonly reason: string) {
    super(reason);
  }
}

/** By SQLSTATE, or its first two characters. */
const CLASSES: Readonly<Record<string, readonly [ErrorClass, string]>> = {
  "28": ["auth", "The server refuses the user name or password."],
  "3D000": ["config", "The server has no such database."],
  "42501": ["permission", "The role may not do this."],
  "42704": ["conflict", "It was renamed or dropped at this moment."],
  "42P01": ["conflict", "It was renamed or dropped at this moment."],
  "3F000": ["conflict", "It was renamed or dropped at this moment."],
  "0L": ["invalid", "The server does not take this grant."],
  "0P": ["invalid", "The server does not take this grant."],
  "22": ["invalid", "The server does not take these values."],
  "25006": ["transient", "The server only reads now, as a standby does."],
  "53": ["transient", "The server has no room for another connection."],
  "55P03": ["transient", "Somebody else holds the lock."],
  "57014": ["transient", "The statement took too long."],
};

const NETWORK = /^(E[A-Z]+|ERR_SOCKET_[A-Z_]+)$/;
const TLS = /^(ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/** A failure of the library or the server, without their texts. `committing` is when the end was not told. */
export function failureOf(error: unknown, committing: boolean): ConnectorError {
  const { code = "", message = "" } = error as { code?: string; message?: string };
  if (/^[0-9A-Z]{5}$/.test(code) && !NETWORK.test(code)) {
    const [errorClass, text] = CLASSES[code] ?? CLASSES[code.slice(0, 2)] ?? ["transient", "The server gave up."];
    return new ConnectorError(errorClass, text, { code, cause: error });
  }
  if (committing)
    return new ConnectorError("outcome_unknown", "The connection ended before the server confirmed.", { cause: error });
  if (TLS.test(code) || /support SSL|SSL connection/.test(message))
    return new ConnectorError("config", "The server has no TLS, or no certificate that is trusted for its name.", {
      code: "tls",
      cause: error,
    });
  if (/^SASL|password/.test(message))
    return new ConnectorError("auth", "The server refuses the user name or password.", { cause: error });
  return new ConnectorError("transient", "The connection to the server ended.", { code: "connection", cause: error });
}
