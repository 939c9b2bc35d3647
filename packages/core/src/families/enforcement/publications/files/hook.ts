/** The variable that holds the credential of an installation, for clients that put it into a header. */
export const CREDENTIAL_VARIABLE = "REEVE_INSTALLATION_CREDENTIAL";
/** Seconds that a client waits for an answer before it blocks. */
export const HOOK_SECONDS = 10;

/** Where hooks of a client ask. */
export const hookUrl = (baseUrl: string, client: string): string => `${baseUrl}/api/v1/hooks/${client}`;
