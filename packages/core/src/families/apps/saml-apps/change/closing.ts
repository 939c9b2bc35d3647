import { defineExtensionPoint } from "#kernel/config/extension.js";
import type { Context } from "#kernel/operation/context.js";

/** Why people can no longer sign on to an application. */
export type Closing = "application_disabled" | "application_removed";

/** Extension point: what follows, in order, when an application is disabled or removed. */
export const appClosings =
  defineExtensionPoint<(ctx: Context, appId: string, closing: Closing) => Promise<void>>("apps.closings");

/** Ends what depends on an application, within the transaction that disables or removes it. */
export async function closeApp(ctx: Context, appId: string, closing: Closing): Promise<void> {
  for (const close of ctx.env.use(appClosings)) await close(ctx, appId, closing);
}
