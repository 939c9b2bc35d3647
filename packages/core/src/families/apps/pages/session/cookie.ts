import { principals } from "#families/identity/index.js";
import type { Environment } from "#kernel/config/environment.js";
import type { Principal } from "#kernel/config/principal.js";
import { ReeveError } from "#kernel/http/errors.js";
import { DUPLICATE, type NeutralRequest, singleHeader } from "#kernel/http/http.js";

const NAME = "reeve_sign_on";

/** Pages are below the prefix of the mount, so the cookie goes nowhere else. */
function attributes({ options: { baseUrl } }: Pick<Environment, "options">): string {
  const url = new URL(baseUrl);
  const path = url.pathname === "/" ? "/" : url.pathname;
  return `Path=${path}; HttpOnly; SameSite=Lax${url.protocol === "https:" ? "; Secure" : ""}`;
}

/** Keeps somebody signed in for pages of sign-on. It holds an access token, which ends with the account. */
export function signInCookie(env: Pick<Environment, "options">, token: string, seconds: number): string {
  return `${NAME}=${token}; ${attributes(env)}; Max-Age=${Math.max(0, Math.floor(seconds))}`;
}

export function endedCookie(env: Pick<Environment, "options">): string {
  return `${NAME}=; ${attributes(env)}; Max-Age=0`;
}

/** Who is signed in by the cookie. Nobody where it is absent, has ended or was sent twice. */
export async function byCookie(env: Environment, request: NeutralRequest): Promise<Principal | undefined> {
  const header = singleHeader(request, "cookie");
  if (header === undefined || header === DUPLICATE) return undefined;
  const tokens = header
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${NAME}=`))
    .map((part) => part.slice(NAME.length + 1));
  const [token] = tokens;
  if (!token || tokens.length > 1) return undefined;
  try {
    return { ...(await env.use(principals).ofToken(token)), byCookie: true };
  } catch (error) {
    if (ReeveError.is(error) && error.status === 401) return undefined;
    throw error;
  }
}
