import { reading, tag } from "#families/access/index.js";
import type { Context } from "#kernel/operation/context.js";
import { ById } from "#kernel/operation/crud.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import { transitionRefused } from "#kernel/records/machine.js";
import { z } from "#schema/z.js";
import { certificationStatus } from "../machine.js";
import { BulkCertification, BulkResult, BulkRevocation, BulkRevocationResult, ItemReview } from "../review/body.js";
import { decideTogether } from "../review/decide-together.js";
import { review } from "../review/review.js";
import { panelsWith } from "../reviewers/panels.js";
import { type Certification, certifications } from "../schema.js";
import { certificationItems } from "./schema.js";
import { itemView, ShownItem } from "./view-item.js";

const PATH = "/api/v1/access-certifications/{id}/items";
const { panelId: _panel, reviewingAs: _as, ...filters } = certificationItems.filters;
const query = listQuery({ ...certificationItems, filters });
const reviewing = { permission: "access-certification:review", capability: "access_governance" } as const;

export const listItems = defineOperation({
  ...reading,
  tag,
  id: "accessCertifications.listItems",
  path: PATH,
  summary: "List the access that a certification is about",
  extension: true,
  params: ById,
  query,
  success: { status: 200, schema: pageOf(ShownItem) },
  async handler(ctx, { params, query }) {
    const { id } = await ctx.getOrThrow(certifications, params.id);
    return ctx.page(certificationItems, query, { where: { certificationId: id } }, itemView(ctx));
  },
});

export const listOwnItems = defineOperation({
  tag,
  id: "accessCertificationItems.list",
  method: "GET",
  path: "/api/v1/access-certification-items",
  summary: "List what the caller is to review, over all certifications",
  description: "Each with what has changed since it was last reviewed.",
  access: reviewing,
  extension: true,
  query,
  success: { status: 200, schema: pageOf(ShownItem) },
  async handler(ctx, { query }) {
    const panels = await panelsWith(ctx, ctx.principal.userId);
    const reviewingAs = panels.length > 0 ? panels : [""];
    return ctx.page(certificationItems, query, { where: { reviewingAs } }, itemView(ctx));
  },
});

export const reviewItem = defineOperation({
  tag,
  id: "accessCertifications.reviewItem",
  method: "POST",
  path: `${PATH}/{itemId}/review`,
  summary: "Decide whether access is still right",
  description: "Only a reviewer of the item may. A decision can be changed until it is carried out.",
  access: reviewing,
  params: ById.extend({
    itemId: z.string().meta({ description: "Id of the item.", example: "citm_01JD3Z6T5W8Y9X7V4R2Q1P0N6M" }),
  }),
  body: ItemReview,
  success: { status: 200, schema: ShownItem },
  errors: [
    ...([
      "invalid_transition",
      "plan_changed",
      "missing_reason",
      "transition_guard_failed",
      "precondition_failed",
    ] as const),
    ...(["invalid_reference", "self_approval_forbidden", "related_party_forbidden"] as const),
  ],
  handler: async (ctx, { params, body }) => itemView(ctx)(await review(ctx, params.id, params.itemId, body)),
});

export const certifyItems = defineOperation({
  tag,
  id: "accessCertifications.certifyItems",
  method: "POST",
  path: `${PATH}/certify`,
  summary: "Certify several items together",
  description:
    "What is critical, never used, in conflict, different in the target, changed or seen too long ago is refused and looked at alone. Both count: what the item shows, and what is known at this moment.",
  access: reviewing,
  extension: true,
  params: ById,
  body: BulkCertification,
  success: { status: 200, schema: BulkResult },
  errors: ["invalid_transition"],
  async handler(ctx, { params, body }) {
    const { done, refused } = await decideTogether(ctx, await openCampaign(ctx, params.id), body, "certify");
    return { certified: done, refused };
  },
});

export const revokeItems = defineOperation({
  tag,
  id: "accessCertifications.revokeItems",
  method: "POST",
  path: `${PATH}/revoke`,
  summary: "Revoke the access of several items together",
  description: "What was used in the last 30 days and what has changed is refused and looked at alone.",
  access: reviewing,
  extension: true,
  params: ById,
  body: BulkRevocation,
  success: { status: 200, schema: BulkRevocationResult },
  errors: ["invalid_transition"],
  async handler(ctx, { params, body }) {
    const { done, refused } = await decideTogether(ctx, await openCampaign(ctx, params.id), body, "revoke");
    return { revoked: done, refused };
  },
});

/** The campaign, for a change of its items. 409 unless people work on it. */
async function openCampaign(ctx: Context, id: string): Promise<Certification> {
  const campaign = await ctx.getForUpdate(certifications, id);
  const { status } = campaign;
  if (status === "active") return campaign;
  throw transitionRefused(`The campaign is ${status}.`, { machine: certificationStatus, current: status });
}
