import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { requirePermission } from "#kernel/operation/permission.js";
import { errorsOf } from "../compile/compile.js";
import { retypedParams, withDefaults } from "../policy-params.js";
import type { Policy } from "../schema.js";
import { judged } from "./body.js";
import { controlFaults } from "./controls.js";

/** A checked change of a policy. */
export interface Revision {
  readonly patch: Partial<Policy>;
  readonly wanted: Policy;
  /** Whether it changes what the policy finds, or what follows from that. */
  readonly saysOther: boolean;
}

/** Checks a change of a policy. What one in force says takes the permission to put it in force. */
export async function revise(ctx: Context, before: Policy, given: Partial<Policy>): Promise<Revision> {
  const merged = { ...before, ...given };
  const wanted = { ...merged, params: withDefaults(merged) };
  const retyped = retypedParams(before.params, wanted);
  if (retyped.length > 0) throw new ReeveError("invalid_request", "The policy has faults.", { errors: retyped });
  if (given.rules) await requireControls(ctx, wanted, before);
  const { digest, warnings } = await judged(ctx, wanted);
  const saysOther = digest !== before.digest || wanted.severity !== before.severity || wanted.gate !== before.gate;
  if (saysOther && before.status === "active") requirePermission(ctx.env, ctx.principal, "ai-policy:activate");
  const revision = digest === before.digest ? before.revision : before.revision + 1;
  const unmatchedRuns = digest === before.digest ? before.unmatchedRuns : 0;
  const patch = { ...given, params: wanted.params, digest, warnings, revision, unmatchedRuns };
  return { patch, wanted, saysOther };
}

/** 400 for rules that newly name controls of no framework. */
export async function requireControls(
  ctx: Context,
  { rules }: Pick<Policy, "rules">,
  before?: Pick<Policy, "rules">,
): Promise<void> {
  const errors = errorsOf(await controlFaults(ctx, rules, before?.rules));
  if (errors.length > 0) throw new ReeveError("invalid_request", "The policy has faults.", { errors });
}
