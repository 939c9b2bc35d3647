import { canonical } from "../../../../kernel/events/canonical.js";
import { sha256 } from "../../../../kernel/events/chain.js";
import { ReeveError } from "../../../../kernel/http/errors.js";
import type { Context } from "../../../../kernel/operation/context.js";
import type { GenericBody } from "../../../../kernel/records/generic-body.js";
import { readEstateBody, refuseUnknown } from "../../../estate/index.js";
import { examine, faultsOf, warningsOf } from "../check/check.js";
import { PolicyFields } from "../fields.js";
import { POLICY_READ_ONLY, type Policy } from "../schema.js";

const GivenFields = PolicyFields.partial();

export type PolicyBody = ReturnType<typeof readPolicyBody>;

/** Reads a generic body as a policy's, whose configuration has no place for anything unknown. */
export function readPolicyBody(body: GenericBody, current: object = {}) {
  const given = readEstateBody(body, GivenFields, POLICY_READ_ONLY, current);
  refuseUnknown(given.free.configuration, "Policies", Object.keys(GivenFields.shape));
  return given;
}

/** What a policy is known by, and what is to be thought of it; 400 naming every fault of its rules. */
export function judged(
  ctx: Context,
  policy: Omit<Policy, "digest" | "warnings" | "revision">,
): Pick<Policy, "digest" | "warnings"> {
  const examined = examine(ctx.env, policy);
  const isEvaluated = policy.status === "observe" || policy.status === "active";
  const faults = isEvaluated ? faultsOf(ctx.env, policy, examined) : examined.faults;
  if (faults.length > 0) throw new ReeveError("invalid_request", "The policy has faults.", { errors: [...faults] });
  return { digest: digestOf(policy), warnings: warningsOf(examined, policy) };
}

/** What results are bound to: everything that can change what a policy finds. */
export function digestOf({
  key,
  kind,
  selector,
  rules,
  params,
}: Pick<Policy, "key" | "kind" | "selector" | "rules" | "params">): string {
  return sha256(canonical({ key, kind, selector, rules, params }));
}
