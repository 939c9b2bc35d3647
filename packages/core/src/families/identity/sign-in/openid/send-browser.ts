import type { Dialect, RefusalPage } from "#kernel/http/dialect.js";
import type { ReeveError } from "#kernel/http/errors.js";
import { type NeutralRequest, wantsPage } from "#kernel/http/http.js";
import { Raw } from "#kernel/records/outcome.js";

/** Why nobody was signed in, as the sign-in page says it in words. */
export type RefusalCode =
  | ("denied" | "not_accepted" | "unreachable")
  | ("expired" | "unknown" | "second_factor" | "suspended");

/** Sends the browser to an address, with a cookie. */
export function sentOn(location: string, cookie?: string): Raw {
  const headers = { location, ...(cookie === undefined ? {} : { "set-cookie": cookie }) };
  return new Raw("", "text/plain", { status: 303, headers });
}

const homeOf = (baseUrl: string) => new URL(`${baseUrl}/console/`);

/** The address of a place within the console. Whatever leads elsewhere is the console itself. */
export function placeWithin(baseUrl: string, place: string | undefined): string {
  const home = homeOf(baseUrl);
  const url = new URL(`./${(place ?? "").replace(/^\/+/, "")}`, home);
  return url.origin === home.origin && url.pathname.startsWith(home.pathname) ? url.href : home.href;
}

/** The sign-in page, which says why. */
export function refusedPlace(baseUrl: string, code: RefusalCode): string {
  const home = homeOf(baseUrl);
  home.searchParams.set("refused", code);
  return home.href;
}

/** A refusal before anything was begun, such as too many requests, in plain words. */
function refusalPage(error: ReeveError, request: NeutralRequest): RefusalPage | undefined {
  if (!wantsPage(request)) return undefined;
  const body = `You were not signed in. ${error.status >= 500 ? "" : error.message}`.trim();
  return { body, headers: { "content-type": "text/plain; charset=utf-8" } };
}

/** For addresses that browsers open: they have cookies of their own, and no bearer. */
export const navigated: Dialect = Object.freeze({
  refusal: (error: ReeveError) => error,
  wantsPlainJson: () => false,
  page: refusalPage,
});
