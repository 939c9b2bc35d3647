import { escapeHtml } from "#kernel/http/escape-html.js";
import type { Raw } from "#kernel/records/outcome.js";
import { hiddenFields } from "./html.js";
import { answerPage } from "./layout.js";
import type { SignInFailure } from "./pages.js";

/** The form for the code of an app, or a recovery code. `begun` is the secret of an app that is set up now. */
export function answerFactor({
  action,
  challenge,
  request,
  begun,
  failure,
}: {
  readonly action: string;
  readonly challenge: string;
  readonly request?: string;
  readonly begun?: { readonly secret: string; readonly uri: string };
  readonly failure?: SignInFailure;
}): Raw {
  const hidden = hiddenFields({ challenge, ...(request === undefined ? {} : { request }) });
  const alert = failure === undefined ? "" : `<p class="bad" role="alert">${escapeHtml(failure.text)}</p>`;
  const label = begun ? "The code that the app shows" : "Code of your app, or a recovery code";
  const form = `<form method="post" action="${escapeHtml(action)}">${hidden}<label>${label}<input name="code" autocomplete="one-time-code" required maxlength="40" autofocus></label><button>Sign in</button></form>`;
  const page = {
    title: begun ? "Set up a second factor" : "Confirm that it is you",
    content: setUp(begun) + alert + form,
  };
  return answerPage(page, failure?.headers, failure?.status);
}

/** How an app is set up, by typing or by a link that a phone opens. */
function setUp(begun: { readonly secret: string; readonly uri: string } | undefined): string {
  if (!begun) return "";
  const groups = (begun.secret.match(/.{1,4}/g) ?? []).join(" ");
  return `<p>Your organisation asks for a second factor. Add this key to an app for one-time passwords:</p><p><code>${escapeHtml(groups)}</code></p><p><a href="${escapeHtml(begun.uri)}">Open it in an app on this device</a></p>`;
}

/** The recovery codes, shown once, and the way on. */
export function answerRecoveryCodes(codes: readonly string[], next: string, cookie: string): Raw {
  const list = codes.map((code) => `<li><code>${escapeHtml(code)}</code></li>`).join("");
  const text = "<p>Keep these codes where only you find them. Each signs you in once when your app is lost.</p>";
  const on = `<p class="foot"><a class="button" href="${escapeHtml(next)}">Continue</a></p>`;
  return answerPage(
    { title: "Your recovery codes", content: `${text}<ul>${list}</ul>${on}` },
    { "set-cookie": cookie },
  );
}
