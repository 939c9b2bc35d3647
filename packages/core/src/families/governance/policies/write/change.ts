import { differences } from "#kernel/events/record-events.js";
import { invalidProperty, ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { NONE_INVOLVED, withInvolved } from "#kernel/records/involved.js";
import { isSame } from "#kernel/records/is-same.js";
import { POLICY_DEFAULTS, type PolicyFields, type PolicyKind } from "../fields.js";
import { askFor, takesTwo } from "../force/ask.js";
import { movePolicy } from "../force/move.js";
import { withDefaults } from "../policy-params.js";
import { type Policy, policies } from "../schema.js";
import { judged, type PolicyBody } from "./body.js";
import { requireControls, revise } from "./revise.js";

/** What a tenant may change in a policy of a pack. */
const OWN = ["params", "severity", "gate"] as const;

/** Stores a new policy as a draft within the transaction, and moves it to the status in its body. */
export async function addPolicy(
  ctx: Context,
  kind: PolicyKind,
  { fields, free, status, reason }: PolicyBody,
): Promise<Policy> {
  const { id, version, ...marks } = ctx.stamp(policies);
  const key = fields.key ?? `policy-${id.slice(-8).toLowerCase()}`;
  const draft = {
    id,
    name: free.name ?? key,
    status: "draft" as const,
    version,
    metadata: free.metadata ?? {},
    ...marks,
    kind,
    managedBy: "tenant" as const,
    pack: null,
    unmatchedRuns: 0,
    ...POLICY_DEFAULTS,
    ...fields,
    key,
    pending: null,
    involved: withInvolved(NONE_INVOLVED, [ctx.principal.userId]),
    relatedParty: false,
    attributes: free.attributes ?? {},
  };
  const wanted = { ...draft, params: withDefaults(draft) };
  await requireControls(ctx, draft);
  const policy = await ctx.insert(policies, { ...wanted, revision: 1, ...(await judged(ctx, wanted)) });
  return movePolicy(ctx, policy, status, reason);
}

/**
 * Changes a policy. The tests of an evaluated one must pass with the change. The rules of one in force take the
 * permission to put it in force, and two people where it holds anything back.
 */
export async function changePolicy(
  ctx: Context,
  before: Policy,
  { fields, free: { configuration: _, ...free }, status, reason }: PolicyBody,
): Promise<Policy> {
  if (before.status === "archived" && Object.keys({ ...fields, ...free }).length > 0)
    throw new ReeveError("in_use", "An archived policy is kept as it was.");
  if (before.managedBy === "builtin") refuseForeign(before, fields);
  if (fields.key !== undefined && fields.key !== before.key)
    throw invalidProperty("/key", "Findings are known by it.", "read_only_property");
  const given = { ...fields, ...free };
  // A move without a change is checked by guards only, so that a policy that no longer compiles can be disabled.
  const revised = differences(before, given).length === 0 ? undefined : await revise(ctx, before, given);
  const to = status === before.status ? undefined : status;
  if (takesTwo(before, revised, to)) return askFor(ctx, before, { change: revised && given, status: to, reason });
  // What waits was asked of the policy as it was, and is asked for anew.
  const dropped = revised?.saysOther ? { pending: null } : {};
  const after = revised ? await ctx.update(policies, before, { ...revised.patch, ...dropped }) : before;
  return movePolicy(ctx, after, to, reason);
}

function refuseForeign(before: Policy, fields: Partial<PolicyFields>): void {
  const errors = Object.entries(fields)
    .filter(([name, value]) => !isSame(value, before[name as keyof Policy]))
    .filter(([name]) => !(OWN as readonly string[]).includes(name))
    .map(([name]) => ({
      pointer: `/${name}`,
      code: "read_only_property",
      message: `It comes with a pack; of it only ${OWN.join(", ")} and status can be changed.`,
    }));
  if (errors.length > 0) throw new ReeveError("read_only_property", undefined, { errors });
}
