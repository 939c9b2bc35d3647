import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { ById, listOperation, readOperation, removeOperation } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { Name } from "#kernel/records/generic-body.js";
import { timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import { z } from "#schema/z.js";
import { tag } from "../targets/fields.js";
import { checkTerms } from "./check-policy.js";
import { PolicyTerms } from "./fields.js";
import { AccessPolicy, accessPolicies, MOST_POLICIES } from "./schema.js";

const path = "/api/v1/access-policies";
const may = (verb: "read" | "write") =>
  ({ permission: `access-policy:${verb}`, capability: "access_governance" }) as const;

const PolicyRequest = z
  .strictObject({
    name: Name,
    ...PolicyTerms.shape,
    reason: z.string().max(2_000).optional().meta({ description: "Why, for the audit trail." }),
  })
  .meta({
    id: "AccessPolicyRequest",
    example: {
      name: "Owners approve what writes",
      covers: { effects: ["write"] },
      stages: [{ approvers: [{ kind: "asset_owner" }], fallback: [{ kind: "role", id: "governance_officer" }] }],
    },
  });

const shared = {
  tag,
  path,
  collection: accessPolicies,
  schema: AccessPolicy as unknown as z.ZodType<AccessPolicy>,
  extension: true,
} as const;

export const listPolicies = listOperation({
  ...shared,
  id: "accessPolicies.list",
  summary: "List the policies of access requests",
  access: may("read"),
});

export const readPolicy = readOperation({
  ...shared,
  id: "accessPolicies.read",
  summary: "Read a policy of access requests",
  access: may("read"),
});

export const createPolicy = defineOperation({
  tag,
  path,
  id: "accessPolicies.create",
  method: "POST",
  summary: "Say who approves which access, what needs no approval and what conflicts",
  access: may("write"),
  extension: true,
  body: PolicyRequest,
  success: { status: 201, schema: AccessPolicy },
  errors: ["already_exists", "invalid_reference", "limit_exceeded", "self_appointment_forbidden"],
  async handler(ctx, { body: { name, reason: _reason, ...terms } }) {
    const { count } = await ctx.db.count(accessPolicies);
    if (count >= MOST_POLICIES) throw new ReeveError("limit_exceeded", `There are ${MOST_POLICIES} policies at most.`);
    await checkTerms(ctx, terms);
    return ctx.insert(accessPolicies, { name, ...terms, editedBy: editors(ctx, []) });
  },
});

export const replacePolicy = defineOperation({
  tag,
  path: `${path}/{id}`,
  id: "accessPolicies.replace",
  method: "PUT",
  summary: "Change a policy of access requests",
  description: "It is for new requests. Who has changed any policy approves nothing for a day, and is allowed nothing.",
  access: may("write"),
  extension: true,
  params: ById,
  body: PolicyRequest,
  success: { status: 200, schema: AccessPolicy },
  errors: ["already_exists", "invalid_reference", "self_appointment_forbidden"],
  async handler(ctx, { params, body: { name, reason, ...terms } }) {
    const policy = await ctx.getForUpdate(accessPolicies, params.id);
    await checkTerms(ctx, terms, policy);
    return ctx.update(accessPolicies, policy, { name, ...terms, editedBy: editors(ctx, policy.editedBy) }, { reason });
  },
});

export const removePolicy = removeOperation({
  tag,
  path,
  collection: accessPolicies,
  extension: true,
  id: "accessPolicies.remove",
  summary: "Remove a policy of access requests",
  access: may("write"),
});

/** Everybody who has changed a policy within a day. */
function editors(ctx: Context, before: AccessPolicy["editedBy"]): AccessPolicy["editedBy"] {
  const since = timestamp(ctx.request.nowMs - daysMs(1));
  const by = ctx.principal.userId;
  const others = before.filter((one) => one.at > since && one.by !== by);
  return [...others, { by, at: ctx.now }];
}
