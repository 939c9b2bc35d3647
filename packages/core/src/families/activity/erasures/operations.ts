import { ById, listOperation, readOperation } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { GenericBody } from "#kernel/records/generic-body.js";
import { z } from "#schema/z.js";
import { approveErasure } from "./erase/erase.js";
import { erasureStatus } from "./machine.js";
import { requestErasure } from "./request-erasure.js";
import { BY_ID, Erasure, erasures } from "./schema.js";

const PATH = "/api/v1/ai-governance/audit/erasures";
const may = (verb: "read" | "erase" | "approve") =>
  ({ permission: `ai-audit:${verb}`, capability: "ai_registry" }) as const;
const shared = { tag: "AI Activity", path: PATH, collection: erasures, schema: Erasure, extension: true } as const;

export const listErasures = listOperation({
  ...shared,
  id: "aiGovernance.listErasures",
  summary: "List erasures",
  access: may("read"),
});

export const readErasure = readOperation({
  ...shared,
  id: "aiGovernance.readErasure",
  summary: "Read one erasure",
  access: may("read"),
});

const { reason, metadata } = GenericBody.shape;

const ErasureRequest = z
  .strictObject({
    ...{ reason, metadata },
    eventIds: z
      .array(z.string().max(64))
      .min(1)
      .max(BY_ID)
      .optional()
      .meta({ description: `Ids of events, at most ${BY_ID}.` }),
    subjectId: z
      .string()
      .max(255)
      .optional()
      .meta({ description: "Instead of ids: whatever the activity of this subject lists." }),
  })
  .meta({
    id: "ErasureRequest",
    example: { subjectId: "usr_01JD3Z6T5W8Y9X7V4R2Q1P0N6M", reason: "Asked for by the person." },
  });

export const eraseEvents = defineOperation({
  id: "aiGovernance.eraseEvents",
  method: "POST",
  path: PATH,
  tag: shared.tag,
  extension: true,
  summary: "Ask for the data of events to be erased for good",
  description: "By ids or by subject. Nothing is erased before a four-eyes approver approves it.",
  access: may("erase"),
  body: ErasureRequest,
  success: { status: 201, schema: Erasure },
  errors: ["missing_reason", "invalid_reference"],
  handler: (ctx, { body }) => requestErasure(ctx, body),
});

export const decideErasure = defineOperation({
  id: "aiGovernance.decideErasure",
  method: "POST",
  path: `${PATH}/{id}/decision`,
  tag: shared.tag,
  extension: true,
  summary: "Approve or decline an erasure that somebody else asks for",
  description:
    "Approved, it erases up to 500 events a call; approve again while `next` is set. Attributes and hashes stay, so the chain verifies as before, and so do reasons of decisions, without names of people.",
  access: may("approve"),
  params: ById,
  body: z
    .strictObject({ decision: z.enum(["approve", "decline"]).meta({ description: "What is decided." }), reason })
    .meta({ id: "ErasureDecision", example: { decision: "decline", reason: "The law wants it kept." } }),
  success: { status: 200, schema: Erasure },
  errors: ["invalid_transition", "self_approval_forbidden"],
  async handler(ctx, { params, body: { decision, reason: said } }) {
    const erasure = await ctx.getForUpdate(erasures, params.id);
    if (decision === "approve") return approveErasure(ctx, erasure, said);
    return ctx.transition(erasures, erasureStatus, erasure, { to: "declined" }, { reason: said });
  },
});
