import { escapeHtml } from "#kernel/http/escape-html.js";
import type { Raw } from "#kernel/records/outcome.js";
import type { SamlOutgoing } from "#ports/saml.js";
import { hiddenFields } from "./html.js";
import { answerPage, FRAME_SECONDS, type Page } from "./layout.js";

/** An application that a page lists. */
interface LaunchedApp {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly category: string;
}

/** A signed response on its way to an application. */
interface PostedResponse {
  readonly acsUrl: string;
  readonly samlResponse: string;
  readonly relayState: string | null;
}

const withCookie = (cookie: string | undefined): Record<string, string> =>
  cookie === undefined ? {} : { "set-cookie": cookie };

const linkTo = (url: string, text: string): string => `<p><a class="button" href="${escapeHtml(url)}">${text}</a></p>`;

/** The page that brings somebody to the application with a response. */
export function responsePage({ acsUrl, samlResponse, relayState }: PostedResponse): Page {
  const fields = { SAMLResponse: samlResponse, ...(relayState === null ? {} : { RelayState: relayState }) };
  return {
    title: "Signing you on",
    content: `<form method="post" action="${escapeHtml(acsUrl)}">${hiddenFields(fields)}<p class="soft">You are brought to ${escapeHtml(new URL(acsUrl).host)}.</p><button>Continue</button></form>`,
    submits: "at_once",
  };
}

export function answerResponse(signedOn: PostedResponse, cookie?: string): Raw {
  return answerPage(responsePage(signedOn), withCookie(cookie));
}

/** Why the form is shown once more. */
export interface SignInFailure {
  readonly text: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Names of organisations to choose from. */
  readonly tenants: readonly string[];
}

/** The form for user name and password. `request` is the sealed request of an application that waits. */
export function answerSignIn({
  action,
  request,
  appName,
  username = "",
  failure,
}: {
  readonly action: string;
  readonly request: string | undefined;
  readonly appName: string | undefined;
  readonly username?: string;
  readonly failure?: SignInFailure;
}): Raw {
  const to = appName === undefined ? "your applications" : appName;
  const alert = failure === undefined ? "" : `<p class="bad" role="alert">${escapeHtml(failure.text)}</p>`;
  const page = {
    title: "Sign in",
    content: `<p class="soft">to go on to ${escapeHtml(to)}</p>${alert}<form method="post" action="${escapeHtml(action)}">${hiddenFields(request === undefined ? {} : { request })}<label>E-mail address<input name="username" type="email" autocomplete="username" required maxlength="254" value="${escapeHtml(username)}"${username ? "" : " autofocus"}></label>${choiceOf(failure?.tenants ?? [])}<label>Password<input name="password" type="password" autocomplete="current-password" required${username ? " autofocus" : ""}></label><button>Sign in</button></form>`,
  };
  return answerPage(page, failure?.headers, failure?.status);
}

/** Which of several organisations, where the password alone does not tell. */
const choiceOf = (tenants: readonly string[]): string =>
  tenants.length === 0
    ? ""
    : `<label>Organisation<select name="tenant">${tenants.map((name) => `<option>${escapeHtml(name)}</option>`).join("")}</select></label>`;

/** Sends a browser on, so that it brings its cookie: a form from another site comes without. */
export function answerContinue(url: string): Raw {
  return answerPage({
    title: "One moment",
    content: linkTo(url, "Continue"),
    next: { url, seconds: 0 },
  });
}

/** A logout is asked for by a form: a link to it could stand on any page. */
const logoutForm = (action: string): string =>
  `<form method="post" action="${escapeHtml(action)}"><button>Log out everywhere</button></form>`;

/** Asks somebody whether they want to log out, where a link brought them. */
export function answerConfirmLogout(logOut: string): Raw {
  const text = '<p class="soft">This ends your sessions at all applications, and your sign-in here.</p>';
  return answerPage({ title: "Log out everywhere?", content: text + logoutForm(logOut) });
}

/** The applications of somebody, each with a button, and the way out. */
export function answerLauncher(
  { action, logOut, username }: { readonly action: string; readonly logOut: string; readonly username: string },
  apps: readonly LaunchedApp[],
  cookie?: string,
): Raw {
  const item = ({ id, name, description, category }: LaunchedApp) =>
    `<li><form method="post" action="${escapeHtml(action)}">${hiddenFields({ app: id })}<button>${escapeHtml(name)}<small>${escapeHtml(category || description || " ")}</small></button></form></li>`;
  const list =
    apps.length > 0
      ? `<ul>${apps.map(item).join("")}</ul>`
      : '<p class="soft">No application is assigned to you yet. Ask your administrator.</p>';
  const out = `<div class="foot soft">Signed in as ${escapeHtml(username)}. ${logoutForm(logOut)}</div>`;
  return answerPage({ title: "Your applications", content: list + out, wide: true }, withCookie(cookie));
}

/**
 * What came of a logout. Frames tell the other applications; `last` goes to the one that asked. `again` is where a person
 * who asked for it signs in.
 */
export function answerLogout(
  others: readonly { readonly name: string; readonly url: string | null; readonly byServer: boolean }[],
  { last, again, cookie }: { readonly last?: SamlOutgoing; readonly again?: string; readonly cookie: string },
): Raw {
  const reached = others.flatMap(({ url }) => (url === null ? [] : [url]));
  const isLost = ({ url, byServer }: (typeof others)[number]) => url === null && !byServer;
  const lost = namesOf(others.filter(isLost));
  const asked = namesOf(others.filter((one) => !isLost(one)));
  const frames = reached.map((url) => `<iframe src="${escapeHtml(url)}" title="logout"></iframe>`).join("");
  const reported = asked ? `<p>Told to log you out too: ${asked}.</p>` : "";
  const note = lost ? `<p class="soft">Close these applications yourself: ${lost}.</p>` : "";
  const link = again === undefined ? "" : linkTo(again, "Sign in again");
  const base = { title: "You are logged out", frames: [...new Set(reached.map((url) => new URL(url).origin))] };
  const content = reported + note + link;
  const headers = withCookie(cookie);
  if (last?.binding === "post") {
    const form = `<form method="post" action="${escapeHtml(last.action)}">${hiddenFields(last.fields)}<button>Continue</button></form>`;
    const submits = reached.length > 0 ? "after_frames" : "at_once";
    return answerPage({ ...base, content: content + form + frames, submits }, headers);
  }
  const next = last && { url: last.url, seconds: reached.length > 0 ? FRAME_SECONDS : 0 };
  const onward = last ? linkTo(last.url, "Continue") : "";
  return answerPage({ ...base, content: content + onward + frames, ...(next ? { next } : {}) }, headers);
}

/** Names of applications, each once although somebody may have several sessions there. */
const namesOf = (apps: readonly { readonly name: string }[]): string =>
  escapeHtml([...new Set(apps.map(({ name }) => name))].join(", "));
