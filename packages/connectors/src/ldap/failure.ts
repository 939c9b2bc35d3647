import { ConnectorError, type ErrorClass } from "@reeve/core/connectors";

/** Result codes of RFC 4511. */
export const NO_SUCH_ATTRIBUTE = 16;
export const VALUE_EXISTS = 20;
export const NO_SUCH_ENTRY = 32;
export const SCHEMA_VIOLATION = 65;

/** Refusals of a change that say what there is. */
export const EXPECTED: ReadonlySet<number> = new Set([
  NO_SUCH_ATTRIBUTE,
  VALUE_EXISTS,
  NO_SUCH_ENTRY,
  SCHEMA_VIOLATION,
]);

const CLASSES: Readonly<Record<number, readonly [ErrorClass, string]>> = {
  2: ["config", "The directory does not understand this, as one without StartTLS."],
  3: ["transient", "The directory took too long."],
  4: ["permission", "The directory lists no more entries to this user than its limit."],
  7: ["config", "The directory does not take this way to sign in."],
  8: ["config", "The directory wants a stronger way to sign in."],
  10: ["unsupported", "The directory refers to another server, and referrals are not followed."],
  11: ["permission", "The directory's limit for this user is reached."],
  12: ["unsupported", "The directory does not support listings in pages."],
  13: ["config", "The directory wants an encrypted connection."],
  19: ["invalid", "The directory does not take this value."],
  21: ["invalid", "The directory does not take this value."],
  32: ["not_found", "There is no such entry."],
  34: ["config", "The directory does not take the name of an entry."],
  48: ["auth", "The directory refuses the name or password."],
  49: ["auth", "The directory refuses the name or password."],
  50: ["permission", "The user of the connector may not do this."],
  53: ["permission", "The directory is not willing to do this."],
  65: ["invalid", "The schema of the directory does not allow this."],
};

const TLS = /^(ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/** The result code of the directory's answer, if there was one. */
export function resultCode(error: unknown): number | undefined {
  const { code } = error as { code?: unknown };
  return error instanceof Error && typeof code === "number" ? code : undefined;
}

/** A failure of the library or the directory, without their texts. `sent` is when a change may have arrived. */
export function failureOf(error: unknown, sent: boolean): ConnectorError {
  const answered = resultCode(error);
  if (answered !== undefined) {
    const [errorClass, text] = CLASSES[answered] ?? ["transient", "The directory gave up."];
    return new ConnectorError(errorClass, text, { code: `ldap_${answered}`, cause: error });
  }
  if (sent)
    return new ConnectorError("outcome_unknown", "The connection ended before the directory confirmed.", {
      cause: error,
    });
  const { code = "" } = error as { code?: string };
  if (TLS.test(code))
    return new ConnectorError("config", "The directory has no certificate that is trusted for its name.", {
      code: "tls",
      cause: error,
    });
  return new ConnectorError("transient", "The connection to the directory ended.", {
    code: "connection",
    cause: error,
  });
}
