import { readEstateBody, refuseUnknown } from "#families/estate/index.js";
import { canonical } from "#kernel/events/canonical.js";
import { invalidProperty, ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import type { GenericBody } from "#kernel/records/generic-body.js";
import { statesOf } from "#kernel/records/machine.js";
import { openBody } from "#kernel/records/open-body.js";
import { z } from "#schema/z.js";
import { sha256 } from "#store/chain.js";
import { examine, faultsOf, warningsOf } from "../check-policy.js";
import { errorsOf } from "../compile/compile.js";
import { POLICY_KINDS, PolicyFields, type PolicyKind } from "../fields.js";
import { policyStatus } from "../machine.js";
import { POLICY_READ_ONLY, type Policy } from "../schema.js";

const GivenFields = PolicyFields.partial();

const RUNTIME_EXAMPLE = {
  name: "Payments need approval",
  key: "payments-need-approval",
  rules: [
    {
      key: "large",
      effect: "require_approval",
      if: "action.name == 'pay'",
      message: "A payment takes the approval of a person.",
    },
  ],
};

const POSTURE_EXAMPLE = {
  name: "Every asset has an owner",
  key: "has-owner",
  severity: "high",
  rules: [{ key: "owner", assert: "asset.hasOwner", message: "{asset.name} has no owner." }],
};

const shared = { states: statesOf(policyStatus), closed: true } as const;

/** A policy of either kind, which the body names. */
export const PolicyRequest = openBody({
  ...shared,
  id: "PolicyRequest",
  fields: PolicyFields.extend({ kind: z.enum(POLICY_KINDS).meta({ description: "`posture` unless said." }) }),
  example: POSTURE_EXAMPLE,
});

export const RuntimePolicyRequest = openBody({
  ...shared,
  id: "RuntimePolicyRequest",
  fields: PolicyFields,
  example: RUNTIME_EXAMPLE,
});

export const PolicyChange = openBody({
  ...shared,
  id: "PolicyChange",
  fields: PolicyFields,
  example: { description: "Why there is such a rule." },
});

export type PolicyBody = ReturnType<typeof readPolicyBody>;

/** Reads a generic body as a policy. 400 for unknown members of its configuration. */
export function readPolicyBody(body: GenericBody, current: object = {}) {
  const given = readEstateBody(body, GivenFields, POLICY_READ_ONLY, current);
  refuseUnknown(given.free.configuration, "Policies", Object.keys(GivenFields.shape));
  return given;
}

/** The digest and warnings of a policy. 400 with every fault of its rules. */
export async function judged(
  ctx: Context,
  policy: Omit<Policy, "digest" | "warnings" | "revision">,
): Promise<Pick<Policy, "digest" | "warnings">> {
  const examined = examine(ctx.env, policy);
  const isEvaluated = policy.status === "observe" || policy.status === "active";
  const faults = isEvaluated ? await faultsOf(ctx.env, policy, examined) : examined.faults;
  if (faults.length > 0)
    throw new ReeveError("invalid_request", "The policy has faults.", { errors: errorsOf(faults) });
  return { digest: digestOf(policy), warnings: warningsOf(examined, policy) };
}

/** The digest that results are bound to. It covers everything that can change them. */
export function digestOf({
  key,
  kind,
  selector,
  rules,
  params,
}: Pick<Policy, "key" | "kind" | "selector" | "rules" | "params">): string {
  return sha256(canonical({ key, kind, selector, rules, params }));
}

const Kind = z.enum(POLICY_KINDS).default("posture");

/** The kind of a new policy, at the top level or in `configuration`. `posture` by default. */
export function chosenKind({ kind: own, configuration, ...body }: GenericBody): {
  kind: PolicyKind;
  body: GenericBody;
} {
  const { kind: inside, ...rest } = configuration ?? {};
  const kind = Kind.safeParse(own === undefined ? inside : own);
  if (!kind.success) throw invalidProperty("/kind", `It is one of ${POLICY_KINDS.join(", ")}.`);
  return { kind: kind.data, body: configuration === undefined ? body : { ...body, configuration: rest } };
}
