/** The variable that holds the credential of an installation, for clients that put it into a header. */
export const CREDENTIAL_VARIABLE = "REEVE_INSTALLATION_CREDENTIAL";
/** Seconds that a client waits for an answer before it blocks. */
export const HOOK_SECONDS = 10;

/** The program that prints the headers of telemetry. `reeve publish` writes it beside the credential. */
export const HEADERS_HELPER = "/etc/reeve/otel-headers";

/** Where telemetry is sent. `undefined` where nobody has said how Reeve is reached. */
export const otlpUrl = (baseUrl: string): string | undefined => (baseUrl === "" ? undefined : `${baseUrl}/api/v1/otlp`);

/** Where hooks of a client ask. */
export const hookUrl = (baseUrl: string, client: string): string => `${baseUrl}/api/v1/hooks/${client}`;

/**
 * How clients that run a command ask. Some make a call when their hook ends in any other way than with 2, also where the
 * program is missing. It is looked for in folders of the system alone, since the rest of the environment is the user's.
 */
export const hookCommand = (client: string): string =>
  `env -u NODE_OPTIONS -u REEVE_INSTALLATION_FILE PATH=/usr/local/bin:/usr/bin:/bin reeve hook --client ${client} || exit 2`;
