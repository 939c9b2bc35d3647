import { mountUrl, PAGE_HEADERS } from "./base.js";
import { ProblemError } from "./client.js";

/** What a person signs in with. */
export interface SignIn {
  readonly username: string;
  readonly password: string;
  readonly tenant?: string;
  readonly code?: string;
}

const SESSIONS = new URL("api/v1/auth/sessions", mountUrl);

async function send(url: URL | string, method: string, body?: object): Promise<void> {
  const headers = { ...PAGE_HEADERS, "content-type": "application/json" };
  const response = await fetch(url, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  if (!response.ok) throw new ProblemError(response, await response.json().catch(() => undefined));
}

/** Begins a session, whose cookie the browser keeps and no script can read. */
export const beginSession = (signIn: SignIn) => send(SESSIONS, "POST", signIn);

/** Ends the session of this browser. */
export const endSession = () => send(`${SESSIONS}/current`, "DELETE");
