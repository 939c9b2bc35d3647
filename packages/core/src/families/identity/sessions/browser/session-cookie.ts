import type { KernelOptions } from "#kernel/config/options.js";
import { DUPLICATE, type NeutralRequest, singleHeader } from "#kernel/http/http.js";
import { Raw } from "#kernel/records/outcome.js";
import { cookieHeader, cookieIn } from "./cookies.js";

type BaseUrl = Pick<KernelOptions, "baseUrl">;

const NAME = "reeve_session";

/** The header that keeps a browser signed in for some seconds. */
export function sessionCookie({ baseUrl }: BaseUrl, value: string, seconds: number): string {
  return cookieHeader({ baseUrl }, NAME, { value, seconds, sameSite: "Strict" });
}

/** The answer that makes a browser forget its session. */
export function cookieEnded({ options }: { readonly options: BaseUrl }): Raw {
  return new Raw("", "application/json", { headers: { "set-cookie": sessionCookie(options, "", 0) } });
}

/** The value of the session's cookie. `undefined` where it is absent or was sent twice. */
export function cookieOf(request: NeutralRequest, { baseUrl }: BaseUrl): string | undefined {
  const header = singleHeader(request, "cookie");
  return header === undefined || header === DUPLICATE ? undefined : cookieIn(header, { baseUrl }, NAME);
}
