import type { NeutralResponse } from "@reeve/core";
import { type Readiness, readinessPages } from "../probes/readiness.js";
import type { Settings } from "../settings/settings.js";
import type { Page } from "./front.js";
import { setPasswordPage } from "./set-password.js";

/** The pages of a server with these settings, by path. */
export function pagesOf(readiness: Readiness, settings: Settings): Map<string, Page> {
  const pages = new Map<string, Page>([["/livez", async () => text(200, "ok")]]);
  for (const [path, told] of readinessPages(readiness))
    pages.set(path, async () => {
      const { status, text: body } = told();
      return text(status, body);
    });
  const first = settings.console ? "/console" : settings.docs === "on" ? "/docs" : undefined;
  if (first !== undefined) pages.set("/", async () => ({ status: 302, headers: { location: first }, body: undefined }));
  if (settings.setPasswordUrl === undefined) pages.set("/set-password", setPasswordPage());
  return pages;
}

function text(status: number, body: string): NeutralResponse {
  return { status, headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" }, body };
}
