import type { components } from "./openapi.generated.js";
import { ProblemError, problemOf } from "./problem-error.js";
import type { Send } from "./send.js";
import { type Session, takenTokens } from "./session.js";

type Schemas = components["schemas"];

/** A user's name and password. */
export type PasswordSignIn = Schemas["SignIn"];

/** The credentials of an AI identity. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Permissions to narrow the token to, spaces between; all that the identity may when absent. */
  readonly scope?: string;
}

/** Signs in, and goes on with refresh tokens while those are good. */
export function passwordSession(send: Send, baseUrl: string, signIn: PasswordSignIn): Session {
  let refreshToken: string | undefined;
  const refreshed = async (spent: string) => {
    refreshToken = undefined;
    const answer = await grant(send, baseUrl, { grant_type: "refresh_token", refresh_token: spent });
    refreshToken = answer.refresh_token;
    return answer.access_token;
  };
  const signedIn = async () => {
    const answer = await post<Schemas["SignedIn"]>(send, `${baseUrl}/api/v1/auth/signin`, signIn);
    refreshToken = answer.refreshToken;
    return answer.token;
  };
  return takenTokens(() => {
    if (refreshToken === undefined) return signedIn();
    return refreshed(refreshToken).catch((error: unknown) => {
      if (ProblemError.is(error) && error.status < 500) return signedIn();
      throw error;
    });
  });
}

/** Exchanges client credentials for tokens. */
export function clientSession(send: Send, baseUrl: string, credentials: ClientCredentials): Session {
  const { clientId, clientSecret, scope } = credentials;
  const request = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
  return takenTokens(async () => {
    const { access_token } = await grant(send, baseUrl, { ...request, ...(scope === undefined ? {} : { scope }) });
    return access_token;
  });
}

function grant(send: Send, baseUrl: string, request: Schemas["TokenRequest"]): Promise<Schemas["TokenAnswer"]> {
  return post(send, `${baseUrl}/api/v1/auth/token`, request);
}

async function post<Result>(send: Send, url: string, body: object): Promise<Result> {
  const headers = { "content-type": "application/json" };
  const response = await send(new Request(url, { method: "POST", headers, body: JSON.stringify(body) }));
  if (!response.ok) throw await problemOf(response);
  return (await response.json()) as Result;
}
