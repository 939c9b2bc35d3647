import { differences } from "../../../../kernel/events/record-events.js";
import { invalidProperty, ReeveError } from "../../../../kernel/http/errors.js";
import type { Context } from "../../../../kernel/operation/context.js";
import { requirePermission } from "../../../../kernel/operation/permission.js";
import { POLICY_DEFAULTS, type PolicyFields, type PolicyKind } from "../fields.js";
import { policyStatus } from "../machine.js";
import { retypedParams, withDefaults } from "../params/params.js";
import { type Policy, policies } from "../schema.js";
import { judged, type PolicyBody } from "./body.js";
import { controlFaults } from "./controls.js";

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
    attributes: free.attributes ?? {},
  };
  const wanted = { ...draft, params: withDefaults(draft) };
  await requireControls(ctx, draft);
  const policy = await ctx.insert(policies, { ...wanted, revision: 1, ...judged(ctx, wanted) });
  return movePolicy(ctx, policy, status, reason);
}

/**
 * Changes a policy. The tests of an evaluated one must pass with the change. The rules of one in force take the
 * permission to put it in force.
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
  const after = differences(before, given).length === 0 ? before : await rewrite(ctx, before, given);
  return movePolicy(ctx, after, status, reason);
}

async function rewrite(ctx: Context, before: Policy, given: Partial<Policy>): Promise<Policy> {
  const merged = { ...before, ...given };
  const wanted = { ...merged, params: withDefaults(merged) };
  const retyped = retypedParams(before.params, wanted);
  if (retyped.length > 0) throw new ReeveError("invalid_request", "The policy has faults.", { errors: retyped });
  if (given.rules) await requireControls(ctx, wanted, before);
  const { digest, warnings } = judged(ctx, wanted);
  const saysOther = digest !== before.digest || wanted.severity !== before.severity || wanted.gate !== before.gate;
  if (saysOther && before.status === "active") requirePermission(ctx.env, ctx.principal, "ai-policy:activate");
  const revision = digest === before.digest ? before.revision : before.revision + 1;
  const unmatchedRuns = digest === before.digest ? before.unmatchedRuns : 0;
  return ctx.update(policies, before, { ...given, params: wanted.params, digest, warnings, revision, unmatchedRuns });
}

/** 400 for rules that newly name controls of no framework. */
async function requireControls(
  ctx: Context,
  { rules }: Pick<PolicyFields, "rules">,
  before?: Pick<PolicyFields, "rules">,
): Promise<void> {
  const errors = await controlFaults(ctx, rules, before?.rules);
  if (errors.length > 0) throw new ReeveError("invalid_request", "The policy has faults.", { errors });
}

function refuseForeign(before: Policy, fields: Partial<PolicyFields>): void {
  const errors = Object.entries(fields)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Policy]))
    .filter(([name]) => !(OWN as readonly string[]).includes(name))
    .map(([name]) => ({
      pointer: `/${name}`,
      code: "read_only_property",
      message: `It comes with a pack; of it only ${OWN.join(", ")} and status can be changed.`,
    }));
  if (errors.length > 0) throw new ReeveError("read_only_property", undefined, { errors });
}

async function movePolicy(
  ctx: Context,
  policy: Policy,
  status: string | undefined,
  reason: string | undefined,
): Promise<Policy> {
  if (status === undefined || status === policy.status) return policy;
  return ctx.transition(policies, policyStatus, policy, { to: status }, { reason });
}
