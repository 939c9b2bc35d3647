import { ReeveError } from "#kernel/http/errors.js";
import { ById } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import { z } from "#schema/z.js";
import { compiledPolicy } from "../decisions/judge/runtime-policies.js";
import { examine } from "../policies/check-policy.js";
import { engineOf, errorsOf } from "../policies/compile/compile.js";
import { PolicyFields } from "../policies/fields.js";
import { may } from "../policies/operations.js";
import { type Policy, policies } from "../policies/schema.js";
import { digestOf } from "../policies/write/body.js";
import { backTestOverAssets } from "./over-assets.js";
import { backTestOverRequests } from "./over-requests.js";
import { History } from "./past/history.js";
import { BackTest } from "./schema.js";

/** Fields of agents, identities and servers that rules read but no event records. */
const WITHOUT_HISTORY = ["spec.hasIdentity", "spec.identityShared", "spec.agentCount", "spec.manifestState"];

const Tried = PolicyFields.pick({ rules: true, params: true, selector: true }).partial();

export const backTestPolicy = defineOperation({
  tag: "AI Governance",
  extension: true,
  effect: "read",
  expensive: true,
  id: "aiGovernance.backTestPolicy",
  agents: "explain",
  method: "POST",
  path: "/api/v1/ai-governance/policies/{id}/back-test",
  summary: "Tell what a policy would have said in the last days",
  description:
    "A governance policy judges the assets as they were at each midnight (UTC) and now; a runtime policy is asked about the decisions that were logged, with the assets as they were. With `rules`, `params` or `selector` those are tried instead of its own. Nothing is stored. What is not known any more is told, never guessed.",
  access: may("read"),
  params: ById,
  body: z
    .strictObject({
      days: z.int().min(1).max(90).default(30).meta({ description: "How far to go back." }),
      ...Tried.shape,
    })
    .meta({ id: "PolicyBackTestRequest", example: { days: 7 } })
    .optional(),
  success: { status: 200, schema: BackTest },
  async handler(ctx, { params, body }) {
    const { days = 30, ...tried } = body ?? {};
    return backTest(ctx, { ...(await ctx.getOrThrow(policies, params.id)), ...tried }, days);
  },
});

async function backTest(ctx: ReadContext, policy: Policy, days: number): Promise<BackTest> {
  const compilation = examine(ctx.env, policy);
  const { compiled, faults } = compilation;
  if (faults.length > 0)
    throw new ReeveError("invalid_request", "The policy has faults.", { errors: errorsOf(faults) });
  const midnight = daysMs(Math.floor(ctx.request.nowMs / daysMs(1)));
  const times = [ctx.now, ...Array.from({ length: days + 1 }, (_, day) => timestamp(midnight - daysMs(day)))];
  const history = new History(ctx, times.at(-1) as string);
  const ofAssets = policy.kind === "posture";
  const assets = ofAssets
    ? await backTestOverAssets(ctx, { compiled, params: policy.params }, history, times)
    : undefined;
  const requests = ofAssets ? undefined : await backTestOverRequests(ctx, compiledPolicy(policy, compilation), history);
  return {
    policyId: policy.id,
    digest: digestOf(policy),
    engine: engineOf(ctx.env).id,
    from: history.since,
    to: ctx.now,
    complete: (assets ?? requests)?.complete === true && history.since === history.asked,
    asOfNow: WITHOUT_HISTORY.filter((path) => compiled.reads.includes(path)),
    overAssets: assets?.found ?? null,
    overRequests: requests?.found ?? null,
  };
}
