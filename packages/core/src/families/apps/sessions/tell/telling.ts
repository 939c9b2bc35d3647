import type { Context } from "#kernel/operation/context.js";
import { timestamp } from "#ports/clock.js";
import { minutesMs } from "#ports/durations.js";
import type { SamlApp } from "../../saml-apps/schema.js";
import type { EndReason } from "../rules.js";
import type { SamlSession } from "../schema.js";

/** How long the browser has to bring back the application's answer, before the server asks it itself. */
const BROWSER_FIRST = minutesMs(1);

/** How the application of a session that ends is told. One that ended it knows. */
export function telling(
  ctx: Context,
  app: SamlApp | undefined,
  reason: EndReason,
  logoutId: string | null,
): Pick<SamlSession, "channel" | "confirmed" | "endpoint" | "logoutId" | "tellAt"> {
  const untold = { confirmed: false, endpoint: null, logoutId, tellAt: null } as const;
  if (reason === "logged_out_by_application") return { ...untold, channel: "none", confirmed: true };
  const endpoint = app && endpointOf(app);
  if (!endpoint) return { ...untold, channel: logoutId === null ? "none" : "browser" };
  if (logoutId === null) return { ...untold, channel: "server", endpoint, tellAt: ctx.now };
  return { ...untold, channel: "browser", endpoint, tellAt: timestamp(ctx.request.nowMs + BROWSER_FIRST) };
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
