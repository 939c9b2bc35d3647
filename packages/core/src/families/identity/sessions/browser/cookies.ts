import type { KernelOptions } from "#kernel/config/options.js";

type BaseUrl = Pick<KernelOptions, "baseUrl">;

/** Whether the browser sends the cookie with navigations that come from other sites. */
type SameSite = "Strict" | "Lax";

/** The name of a cookie. Browsers hold to its prefix: only this host may have set it, for https. */
function nameOf({ protocol, pathname }: URL, name: string): string {
  if (protocol !== "https:") return name;
  return pathname === "/" ? `__Host-${name}` : `__Secure-${name}`;
}

/** The header that gives a browser a cookie for some seconds, which no script reads. */
export function cookieHeader(
  { baseUrl }: BaseUrl,
  name: string,
  { value, seconds, sameSite }: { readonly value: string; readonly seconds: number; readonly sameSite: SameSite },
): string {
  const url = new URL(baseUrl);
  const secure = url.protocol === "https:" ? "; Secure" : "";
  const age = Math.max(0, Math.floor(seconds));
  return `${nameOf(url, name)}=${value}; Path=${url.pathname}; HttpOnly; SameSite=${sameSite}${secure}; Max-Age=${age}`;
}

/** The value of a cookie in the header of a request. `undefined` where it is absent or was sent twice. */
export function cookieIn(header: string, { baseUrl }: BaseUrl, name: string): string | undefined {
  const begin = `${nameOf(new URL(baseUrl), name)}=`;
  const values = header
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part.startsWith(begin));
  const [only] = values;
  return only === undefined || values.length > 1 ? undefined : only.slice(begin.length);
}
