import { client, type components } from "./client.js";

export type SignIn = components["schemas"]["SignIn"];
export type Register = components["schemas"]["Register"];

/** Begins a session, whose cookie the browser keeps and no script can read. */
export const beginSession = async (body: SignIn) => (await client.POST("/api/v1/auth/sessions", { body })).data;

/** Ends the session of this browser. */
export const endSession = () =>
  client.DELETE("/api/v1/auth/sessions/{sessionId}", { params: { path: { sessionId: "current" } } });

/** What a sign-in wants besides what was sent. */
export interface Wanted {
  /** Subdomains of organisations, of which one is to be chosen. */
  readonly tenants?: readonly string[];
  /** Stands for the password from now on. */
  readonly challenge?: string;
  /** Factors that can be set up first, because there is none yet. */
  readonly enrol?: readonly string[];
  /** What answers the challenge. */
  readonly methods?: readonly string[];
  /** What a passkey is asked. */
  readonly passkey?: object;
}
