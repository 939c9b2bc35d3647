import type { Dialect, RefusalPage } from "#kernel/http/dialect.js";
import type { ReeveError } from "#kernel/http/errors.js";
import { escapeHtml } from "#kernel/http/escape-html.js";
import { type NeutralRequest, wantsPage } from "#kernel/http/http.js";
import { pageHeaders, pageHtml } from "./layout.js";

/** What people are told of a refusal, by its code. */
const TITLES: Readonly<Record<string, string>> = {
  saml_invalid: "The application sent something that cannot be accepted",
  permission_denied: "You may not use this application",
  not_found: "This link has been used or has expired",
  token_missing: "You are not signed in",
  invalid_token: "You are not signed in",
  token_expired: "You are not signed in",
  tenant_suspended: "Your organisation is suspended",
  kill_switch_active: "Sign-on is switched off",
  capability_not_licensed: "Your organisation does not have sign-on to applications",
  rate_limited: "Too many requests",
  too_many_attempts: "Too many attempts",
};
const OTHER = "Something went wrong";

/** Refusals that another account or another application can get past. */
const LEADING: ReadonlySet<string> = new Set([
  "permission_denied",
  "not_found",
  "token_missing",
  "invalid_token",
  "token_expired",
]);

function refusalPage(error: ReeveError, request: NeutralRequest): RefusalPage | undefined {
  if (!wantsPage(request)) return undefined;
  const { refusal } = error.members as { readonly refusal?: string };
  const what = refusal === undefined ? error.code : `${error.code}: ${refusal}`;
  const detail = error.status >= 500 ? "" : `<p>${escapeHtml(error.message)}</p>`;
  const onward = LEADING.has(error.code)
    ? `<p><a class="button" href="${escapeHtml(request.mountPath ?? "")}/saml/apps">Your applications</a></p>`
    : "";
  const page = {
    title: TITLES[error.code] ?? OTHER,
    content: `${detail}<p class="soft">Go back to the application and try again. If it happens again, give your administrator this code: <code>${escapeHtml(what)}</code></p>${onward}`,
  };
  return { body: pageHtml(page), headers: pageHeaders(page) };
}

/** Pages for browsers: they take forms, and refuse with a page where a page is wanted. */
export const browser: Dialect = Object.freeze({
  refusal: (error: ReeveError) => error,
  wantsPlainJson: () => false,
  page: refusalPage,
});
