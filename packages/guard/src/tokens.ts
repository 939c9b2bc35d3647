import { record } from "./answer.js";

/** A token, a function that gives one, or the client id and secret of an AI identity. */
export type Credential =
  | string
  | (() => string | Promise<string>)
  | { readonly clientId: string; readonly clientSecret: string };

/** Gives the token for a request; with `isRefused` a new one. */
interface Tokens {
  (isRefused: boolean, signal: AbortSignal | undefined): Promise<string>;
  /** Whether a refused token can be replaced. */
  readonly renews: boolean;
}

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Seconds before the end of a token at which it is renewed. */
const EARLY = 30;

/** Tokens by a credential. Those of an AI identity are kept until shortly before their end. */
export function tokens(base: string, credential: Credential, fetch: Fetch): Tokens {
  if (typeof credential === "string") return Object.assign(async () => credential, { renews: false });
  if (typeof credential === "function") return Object.assign(async () => credential(), { renews: true });
  let known: { readonly token: string; readonly until: number } | undefined;
  const give = async (isRefused: boolean, signal: AbortSignal | undefined) => {
    if (known && !isRefused && performance.now() < known.until) return known.token;
    const { clientId, clientSecret } = credential;
    const response = await fetch(`${base}/api/v1/auth/token`, {
      method: "POST",
      redirect: "error",
      body: new URLSearchParams({
        grant_type: "client_credentials",
        client_id: clientId,
        client_secret: clientSecret,
      }),
      ...(signal ? { signal } : {}),
    });
    const { access_token: token, expires_in: seconds } = record(await response.json()) ?? {};
    if (!response.ok || typeof token !== "string") throw new Error(`No token was given (${response.status}).`);
    known = { token, until: performance.now() + (Number(seconds) - EARLY) * 1_000 };
    return token;
  };
  return Object.assign(give, { renews: true });
}
