import type { Context } from "#kernel/operation/context.js";
import { certificationItemStatus } from "../items/machine.js";
import { type CertificationItem, certificationItems } from "../items/schema.js";
import { wake } from "../work/continue.js";

/** Has an item looked at again because its access has changed. */
export async function outdateItem(ctx: Context, item: CertificationItem, reason: string): Promise<void> {
  if (item.status === "stale") return;
  const options = { triggeredBy: "system", reason, patch: { note: reason } } as const;
  await ctx.transition(certificationItems, certificationItemStatus, item, { event: "outdate" }, options);
  await wake(ctx, item.certificationId);
}
