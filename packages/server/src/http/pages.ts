import { type ControlPlane, type NeutralResponse, ReeveError } from "@reeve/core";
import type { Settings } from "../settings/settings.js";
import type { Drain } from "./drain.js";
import type { Page } from "./front.js";
import { setPasswordPage } from "./set-password.js";

/** The pages of a server with these settings, by path. */
export function pagesOf(controlPlane: ControlPlane, settings: Settings, drain: Drain): Map<string, Page> {
  const readyBut = (ignored: readonly string[]) => async () =>
    drain.begun ? text(503, "shutting_down") : text(...(await readiness(controlPlane, ignored)));
  const ready = readyBut([]);
  const pages = new Map<string, Page>([
    ["/livez", async () => text(200, "ok")],
    ["/readyz", ready],
    ["/readyz/reads", readyBut(["writes"])],
    ["/healthz", ready],
  ]);
  const first = settings.console ? "/console" : settings.docs === "on" ? "/docs" : undefined;
  if (first !== undefined) pages.set("/", async () => ({ status: 302, headers: { location: first }, body: undefined }));
  if (settings.setPasswordUrl === undefined) pages.set("/set-password", setPasswordPage());
  return pages;
}

/**
 * Whether the server is ready: the store answers and takes writes, its schema is current, and the server is not
 * stopping. Failures of the `ignored` checks do not count.
 */
async function readiness(controlPlane: ControlPlane, ignored: readonly string[]): Promise<[number, string]> {
  try {
    const { status } = await controlPlane.call("monitor.ping", undefined);
    return [200, status];
  } catch (error) {
    if (!ReeveError.is(error)) throw error;
    const { checks = {} } = error.members as { checks?: Record<string, string> };
    const failed = Object.keys(checks).filter((name) => checks[name] === "unavailable");
    if (failed.length > 0 && failed.every((name) => ignored.includes(name))) return [200, "ok"];
    return [503, [error.code, ...failed].join(" ")];
  }
}

function text(status: number, body: string): NeutralResponse {
  return { status, headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" }, body };
}
