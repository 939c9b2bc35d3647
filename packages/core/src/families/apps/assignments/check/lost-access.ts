import { defineExtensionPoint } from "#kernel/config/extension.js";
import type { Context } from "#kernel/operation/context.js";

/** Extension point: ends what somebody holds at an application whose assignment was taken away. */
export const lostAccess =
  defineExtensionPoint<(ctx: Context, where: { readonly appId: string }) => Promise<void>>("apps.lostAccess");

/** Ends what the people hold who may not sign on to an application any more. */
export async function endLostAccess(ctx: Context, appId: string): Promise<void> {
  for (const end of ctx.env.use(lostAccess)) await end(ctx, { appId });
}
