import type { Context } from "#kernel/operation/context.js";
import { timestamp } from "#ports/clock.js";
import { minutesMs } from "#ports/durations.js";
import type { SamlApp } from "../../saml-apps/schema.js";
import type { EndReason } from "../rules.js";
import type { SamlSession } from "../schema.js";

/** How long the browser has to bring back the application's answer, before the server asks it itself. */
const BROWSER_FIRST = minutesMs(1);

/** How the application of a session that ends is told. One that ended it knows. */
export function noticeFor(
  ctx: Context,
  app: SamlApp | undefined,
  reason: EndReason,
  logoutId: string | null,
): Pick<SamlSession, "channel" | "confirmed" | "endpoint" | "logoutId" | "notifyAt"> {
  const unreported = { confirmed: false, endpoint: null, logoutId, notifyAt: null } as const;
  if (reason === "logged_out_by_application") return { ...unreported, channel: "none", confirmed: true };
  const endpoint = app && endpointOf(app);
  if (!endpoint) return { ...unreported, channel: logoutId === null ? "none" : "browser" };
  if (logoutId === null) return { ...unreported, channel: "server", endpoint, notifyAt: ctx.now };
  return { ...unreported, channel: "browser", endpoint, notifyAt: timestamp(ctx.request.nowMs + BROWSER_FIRST) };
}

/** Where an application is told from server to server; `undefined` where it is not. */
export function endpointOf({
  sloSoapUrl,
  entityId,
  signingCertificates,
}: SamlApp): NonNullable<SamlSession["endpoint"]> | undefined {
  if (sloSoapUrl === null) return undefined;
  return { url: sloSoapUrl, entityId, certificates: signingCertificates.map(({ certificate }) => certificate) };
}
