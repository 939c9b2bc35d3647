import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { defineFourEyes, involvedIn } from "#kernel/operation/four-eyes.js";
import { withInvolved } from "#kernel/records/involved.js";
import { policyStatus } from "../machine.js";
import { type Policy, policies } from "../schema.js";
import { revise } from "../write/revise.js";
import { takenBySecond } from "./move.js";

export const confirmChange = defineFourEyes(
  "policy: confirm change",
  "Changing a policy in force, or taking it out of force, that gates promotions, denies actions or has them approved",
);

type Pending = NonNullable<Policy["pending"]>;

/** What is asked for. 409 when nothing is, 412 when it is something else than was seen. */
function pendingOf({ pending }: Policy, digest: string): Pending {
  if (!pending) {
    const detail = "No change of it waits.";
    throw new ReeveError("transition_guard_failed", detail, {
      members: { guards: [{ key: "pendingChange", ok: false, detail }] },
    });
  }
  if (pending.digest !== digest)
    throw new ReeveError("precondition_failed", undefined, { members: { current: pending.digest } });
  return pending;
}

/** Makes the change that waits. Takes somebody else than who asked for it. */
export async function confirm(ctx: Context, policy: Policy, digest: string): Promise<Policy> {
  const { by, change, status, reason } = pendingOf(policy, digest);
  const taken = await takenBySecond(ctx, policy, confirmChange, withInvolved(involvedIn(policy), [by]));
  const said = reason ?? undefined;
  const options = { involves: false, ...(said === undefined ? {} : { reason: said }) } as const;
  const { patch } = change ? await revise(ctx, policy, change) : { patch: {} };
  if (!status) return ctx.update(policies, policy, { ...patch, ...taken }, options);
  const after = change ? await ctx.update(policies, policy, patch, options) : policy;
  return ctx.transition(policies, policyStatus, after, { to: status }, { reason: said, patch: taken });
}

/** Drops the change that waits. Whoever asked for it may do so too. */
export function decline(ctx: Context, policy: Policy, digest: string, reason: string | undefined): Promise<Policy> {
  const declined = pendingOf(policy, digest);
  const event = { type: "policy.change_declined", data: { reason: reason ?? null, declined } };
  return ctx.update(policies, policy, { pending: null }, { event });
}
