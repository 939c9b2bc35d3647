import type { KernelOptions } from "#kernel/config/options.js";
import { DUPLICATE, type NeutralRequest, singleHeader } from "#kernel/http/http.js";
import { Raw } from "#kernel/records/outcome.js";

type BaseUrl = Pick<KernelOptions, "baseUrl">;

/** The name of the cookie. Browsers hold to its prefix: only this host may have set it, for https. */
function nameOf(url: URL): string {
  if (url.protocol !== "https:") return "reeve_session";
  return url.pathname === "/" ? "__Host-reeve_session" : "__Secure-reeve_session";
}

function attributesOf(url: URL): string {
  return `Path=${url.pathname}; HttpOnly; SameSite=Strict${url.protocol === "https:" ? "; Secure" : ""}`;
}

/** The header that keeps a browser signed in for some seconds. */
export function sessionCookie({ baseUrl }: BaseUrl, secret: string, seconds: number): string {
  const url = new URL(baseUrl);
  return `${nameOf(url)}=${secret}; ${attributesOf(url)}; Max-Age=${Math.max(0, Math.floor(seconds))}`;
}

/** The answer that makes a browser forget its session. */
export function cookieEnded({ options }: { readonly options: BaseUrl }): Raw {
  return new Raw("", "application/json", { headers: { "set-cookie": sessionCookie(options, "", 0) } });
}

/** The value of the session's cookie. `undefined` where it is absent or was sent twice. */
export function cookieOf(request: NeutralRequest, { baseUrl }: BaseUrl): string | undefined {
  const header = singleHeader(request, "cookie");
  if (header === undefined || header === DUPLICATE) return undefined;
  const begin = `${nameOf(new URL(baseUrl))}=`;
  const values = header
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part.startsWith(begin));
  const [only] = values;
  return only === undefined || values.length > 1 ? undefined : only.slice(begin.length);
}
