import { reading, tag } from "#families/access/index.js";
import { instances } from "#families/connectors/index.js";
import { ById } from "#kernel/operation/crud.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { actionBody } from "#kernel/records/open-body.js";
import { lookAtGrant } from "../scans/confirm/look.js";
import { acceptDrift, DriftAcceptance, suppressDrift } from "./decide-drift.js";
import {
  DriftRepair,
  DriftRepairRequest,
  planOf,
  REPAIR_ERRORS,
  type RepairPlan,
  repairDrift,
  reportedPlan,
} from "./repair/repair.js";
import { isAskable } from "./rules.js";
import { AccessDrift, accessDrift } from "./schema.js";

const PATH = "/api/v1/access-drift";
const may = (verb: "repair" | "decide") =>
  ({ permission: `access-drift:${verb}`, capability: "access_governance" }) as const;
const deciding = { tag, method: "POST", access: may("decide"), extension: true, params: ById } as const;

export const listDrift = defineOperation({
  ...reading,
  tag,
  id: "accessDrift.list",
  path: PATH,
  summary: "List how targets differ from what was granted, newest first",
  query: listQuery(accessDrift),
  success: { status: 200, schema: pageOf(AccessDrift) },
  handler: (ctx, { query }) => ctx.page(accessDrift, query),
});

export const readDrift = defineOperation({
  ...reading,
  tag,
  id: "accessDrift.read",
  path: `${PATH}/{id}`,
  summary: "Read one difference, and what can be done about it",
  extension: true,
  params: ById,
  success: { status: 200, schema: AccessDrift },
  handler: (ctx, { params }) => ctx.getStored(accessDrift, params.id),
});

export const acceptDriftOperation = defineOperation({
  ...deciding,
  id: "accessDrift.accept",
  path: `${PATH}/{id}/accept`,
  summary: "Let a difference be until a time",
  description: "It opens again at that time, or as soon as it changes.",
  body: DriftAcceptance,
  success: { status: 200, schema: AccessDrift },
  errors: ["invalid_transition", "missing_reason", "self_approval_forbidden"],
  handler: async (ctx, { params, body }) => acceptDrift(ctx, await ctx.getForUpdate(accessDrift, params.id), body),
});

export const suppressDriftOperation = defineOperation({
  ...deciding,
  id: "accessDrift.suppress",
  path: `${PATH}/{id}/suppress`,
  summary: "Let a difference be until it changes",
  body: actionBody({ id: "AccessDriftSuppression", example: { reason: "The target lists its own service here." } }),
  success: { status: 200, schema: AccessDrift },
  errors: ["invalid_transition", "missing_reason", "self_approval_forbidden"],
  handler: async (ctx, { params, body: { reason } }) =>
    suppressDrift(ctx, await ctx.getForUpdate(accessDrift, params.id), reason),
});

/** What the target has now of what differs. */
async function presenceOf(ctx: ReadContext, id: string): Promise<RepairPlan["presence"]> {
  const one = await ctx.getOrThrow(accessDrift, id);
  const instance = (await ctx.db.get(instances, one.connectorInstanceId))?.value;
  const connector = instance && ctx.env.connectors.get(instance.providerKey);
  if (!connector?.verify || !isAskable(one.kind)) return "unknown";
  return (await lookAtGrant(ctx, one.connectorInstanceId, one.id, one))?.presence ?? "unknown";
}

export const repairDriftOperation = defineOperation({
  tag,
  id: "accessDrift.repair",
  method: "POST",
  path: `${PATH}/{id}/repair`,
  summary: "Have a difference put right",
  description:
    "The target is asked first. With `dryRun` the plan is all that comes of it. Where several things can be done, somebody chooses one.",
  access: may("repair"),
  extension: true,
  params: ById,
  body: DriftRepairRequest.optional(),
  success: { status: 200, schema: DriftRepair },
  errors: [...REPAIR_ERRORS],
  killSwitches: ["connectors.outbound"],
  expensive: true,
  prepare: (ctx, { params }) => presenceOf(ctx, params.id),
  async handler(ctx, { params, body: { action, dryRun, reason, acceptAnomaly } = {} }, presence) {
    const one = await ctx.getForUpdate(accessDrift, params.id);
    const plan = planOf(one, presence, action);
    if (dryRun) return reportedPlan(one, plan);
    return repairDrift(ctx, one, plan, { reason, acceptAnomaly });
  },
});
