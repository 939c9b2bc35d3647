import type { Context } from "#kernel/operation/context.js";
import { samlAppUsage, type Usage } from "./schema.js";

/** Counts a sign-on, or a refusal. */
export async function noteUsage(ctx: Context, appId: string, failure?: string): Promise<void> {
  const held = (await ctx.db.get(samlAppUsage, appId))?.value;
  const { signOns = 0, failures = 0 } = held ?? {};
  const patch: Partial<Usage> =
    failure === undefined
      ? { signOns: signOns + 1, lastSignOnAt: ctx.now }
      : { failures: failures + 1, lastFailureAt: ctx.now, lastFailure: failure };
  if (held) await ctx.update(samlAppUsage, held, patch);
  else {
    const none = { signOns: 0, lastSignOnAt: null, failures: 0, lastFailureAt: null, lastFailure: null };
    await ctx.insert(samlAppUsage, { id: appId, ...none, ...patch });
  }
}
