import { canonical } from "#kernel/events/canonical.js";
import { differences } from "#kernel/events/record-events.js";
import { type Context, requireReason } from "#kernel/operation/context.js";
import { requirePermission } from "#kernel/operation/permission.js";
import { checkGuards } from "#kernel/operation/transition-checks.js";
import { findTransition } from "#kernel/records/machine.js";
import { sha256 } from "#store/chain.js";
import { holdsBack } from "../fields.js";
import { policyStatus } from "../machine.js";
import { type Policy, policies } from "../schema.js";
import type { Revision } from "../write/revise.js";

/** Whether a policy in force holds anything back, before the change or after it, and the change touches that. */
export function takesTwo(before: Policy, revised: Revision | undefined, to: string | undefined): boolean {
  if (before.status !== "active") return false;
  if (revised?.saysOther && holdsBack(revised.wanted)) return true;
  return holdsBack(before) && (to !== undefined || revised?.saysOther === true);
}

interface Asked {
  readonly change: Partial<Policy> | undefined;
  readonly status: string | undefined;
  readonly reason: string | undefined;
}

/** Stores a change of a policy in force, which waits for a four-eyes approver. An earlier one that waits is replaced. */
export async function askFor(ctx: Context, policy: Policy, { change, status, reason }: Asked): Promise<Policy> {
  requirePermission(ctx.env, ctx.principal, "ai-policy:activate");
  if (status !== undefined && findTransition(policyStatus, policy.status, { to: status }, true).needsReason)
    requireReason(reason);
  const fields = differences(policy, change ?? {}).map(({ field }) => [field, change?.[field as keyof Policy]]);
  return store(ctx, policy, {
    by: ctx.principal.userId,
    at: ctx.now,
    reason: reason ?? null,
    status: (status ?? null) as Policy["status"] | null,
    change: fields.length > 0 ? Object.fromEntries(fields) : null,
  });
}

/**
 * Stores that somebody else is asked to put a policy in force. It must have come so far that it could be. An earlier request
 * that waits is replaced.
 */
export async function askToActivate(ctx: Context, policy: Policy, reason: string | undefined): Promise<Policy> {
  const row = findTransition(policyStatus, policy.status, { to: "active" }, true);
  await checkGuards<Policy>(ctx, policies, policyStatus, row, policy, { ...policy, status: "active" as const });
  const by = ctx.principal.userId;
  return store(ctx, policy, { by, at: ctx.now, reason: reason ?? null, status: "active", change: null });
}

type Pending = NonNullable<Policy["pending"]>;

function store(ctx: Context, policy: Policy, asked: Omit<Pending, "digest">): Promise<Policy> {
  const pending = { ...asked, digest: sha256(canonical({ ...asked, id: policy.id, revision: policy.revision })) };
  const event = { type: "policy.change_requested", data: { reason: asked.reason, pending } };
  return ctx.update(policies, policy, { pending }, { event });
}
