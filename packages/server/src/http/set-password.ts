import { createHash } from "node:crypto";
import type { Page } from "./front.js";

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { max-width: 24rem; margin: 10vh auto; padding: 0 1rem; }
label, input, button { display: block; width: 100%; box-sizing: border-box; }
input, button { font: inherit; padding: .5rem; margin: .25rem 0 1rem; }
`;

/** The token is in the fragment, which browsers do not send. The script first removes it from the address bar. */
const SCRIPT = `
const token = new URLSearchParams(location.hash.slice(1)).get("token");
history.replaceState(null, "", location.pathname);
const form = document.querySelector("form");
const said = document.querySelector("output");
const { password, again } = form.elements;
const invalid = () => again.setCustomValidity(again.value === password.value ? "" : "The passwords differ.");
password.addEventListener("input", invalid);
again.addEventListener("input", invalid);
if (token) form.hidden = false;
else said.textContent = "This link is not complete. Open it from the mail again.";
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = form.querySelector("button");
  button.disabled = true;
  said.textContent = "";
  try {
    const response = await fetch("api/v1/auth/set-password", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token, newPassword: password.value }),
    });
    const answer = await response.json();
    form.hidden = response.ok;
    said.textContent = response.ok
      ? "The password of " + answer.username + " is set. You can sign in now."
      : [answer.detail ?? answer.title + ".", ...(answer.errors ?? []).map((error) => error.message)].filter(Boolean).join(" ");
  } catch {
    said.textContent = "The server cannot be reached. Try again.";
  }
  button.disabled = false;
});
`;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Set a password</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Set a password</h1>
<noscript>This page needs JavaScript.</noscript>
<form hidden>
<label for="password">New password</label>
<input id="password" name="password" type="password" autocomplete="new-password" required>
<label for="again">Once more</label>
<input id="again" name="again" type="password" autocomplete="new-password" required>
<button>Set the password</button>
</form>
<output aria-live="polite"></output>
<script>${SCRIPT}</script>
</body>
</html>
`;

/** The page behind mailed links, unless the settings name another. It loads nothing, and calls this server only. */
export function setPasswordPage(): Page {
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": [
      "default-src 'none'",
      `script-src ${digest(SCRIPT)}`,
      `style-src ${digest(STYLE)}`,
      "connect-src 'self'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join("; "),
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  };
  return async () => ({ status: 200, headers, body: PAGE });
}

function digest(source: string): string {
  return `'sha256-${createHash("sha256").update(source).digest("base64")}'`;
}
