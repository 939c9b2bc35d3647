import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { ById, listOperation, readOperation, removeOperation } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { actionBody } from "#kernel/records/open-body.js";
import { z } from "#schema/z.js";
import { QUESTIONNAIRE_TABLE } from "./questionnaires/index.js";
import { Questionnaire } from "./questionnaires/questionnaire.js";
import { Assessment, assessments } from "./schema.js";
import { AssessmentChange, AssessmentRequest, readAssessmentBody, readChangeBody } from "./write-body.js";
import {
  addAssessment,
  approveAssessment,
  changeAssessment,
  returnAssessment,
  submitAssessment,
} from "./write-change.js";

const PATH = "/api/v1/ai-governance/assessments";
const may = (verb: "read" | "write" | "approve") =>
  ({ permission: `ai-assessment:${verb}`, capability: "ai_governance" }) as const;
const shared = { tag: "AI Governance", extension: true } as const;

export const listAssessments = listOperation({
  ...shared,
  id: "aiAssessments.list",
  path: PATH,
  summary: "List impact and risk assessments",
  searched: "name or conclusion",
  access: may("read"),
  collection: assessments,
  schema: Assessment,
});

const Questionnaires = z
  .object({ items: z.array(Questionnaire).meta({ description: "All of them." }) })
  .meta({ id: "Questionnaires" });

export const listQuestionnaires = defineOperation({
  ...shared,
  id: "aiAssessments.listQuestionnaires",
  method: "GET",
  path: `${PATH}/questionnaires`,
  summary: "List the questions of impact and risk assessments",
  access: may("read"),
  success: { status: 200, schema: Questionnaires },
  handler: async () => ({ items: Object.values(QUESTIONNAIRE_TABLE) }),
});

export const readAssessment = readOperation({
  ...shared,
  id: "aiAssessments.read",
  path: PATH,
  summary: "Read one assessment",
  access: may("read"),
  collection: assessments,
  schema: Assessment,
});

export const createAssessment = defineOperation({
  ...shared,
  id: "aiAssessments.create",
  agents: "propose",
  method: "POST",
  path: PATH,
  summary: "Begin an impact or risk assessment of an asset",
  description: "One at a time is open for an asset and a questionnaire.",
  access: may("write"),
  body: AssessmentRequest,
  success: { status: 201, schema: Assessment },
  errors: ["already_exists", "invalid_reference", "read_only_property"],
  handler: (ctx, { body }) => addAssessment(ctx, readAssessmentBody(body)),
});

const target = (ctx: Context, id: string) => ctx.getForUpdate(assessments, id);

export const replaceAssessment = defineOperation({
  ...shared,
  id: "aiAssessments.replace",
  method: "PUT",
  path: `${PATH}/{id}`,
  summary: "Answer questions of an assessment, or change what it concludes",
  description: "Properties left out stay as they are, and so do answers to other questions.",
  access: may("write"),
  params: ById,
  body: AssessmentChange,
  success: { status: 200, schema: Assessment },
  errors: ["invalid_transition", "read_only_property"],
  async handler(ctx, { params, body }) {
    const before = await target(ctx, params.id);
    return changeAssessment(ctx, before, readChangeBody(body, before));
  },
});

export const deleteAssessment = removeOperation({
  ...shared,
  id: "aiAssessments.delete",
  path: PATH,
  summary: "Delete the draft of an assessment",
  access: may("write"),
  collection: assessments,
  errors: ["in_use"],
  mayRemove: refuseDecided,
});

function refuseDecided(_ctx: unknown, { status }: Assessment): void {
  if (status !== "draft") throw new ReeveError("in_use", "It has been submitted; only drafts can be deleted.");
}

const move = { ...shared, method: "PATCH", params: ById, success: { status: 200, schema: Assessment } } as const;

export const submitForApproval = defineOperation({
  ...move,
  id: "aiAssessments.submit",
  agents: "request",
  path: `${PATH}/{id}/submit`,
  body: actionBody({ id: "AssessmentSubmission", example: { reason: "All questions are answered." } }).optional(),
  summary: "Submit an assessment, so that somebody else approves it",
  access: may("write"),
  errors: ["invalid_transition", "transition_guard_failed"],
  handler: async (ctx, { params, body }) => submitAssessment(ctx, await target(ctx, params.id), body?.reason),
});

export const sendBack = defineOperation({
  ...move,
  id: "aiAssessments.return",
  path: `${PATH}/{id}/return`,
  body: actionBody({ id: "AssessmentReturn", example: { reason: "The harm to applicants is missing." } }).optional(),
  summary: "Send an assessment back to be worked on",
  access: may("write"),
  errors: ["invalid_transition", "missing_reason"],
  handler: async (ctx, { params, body }) => returnAssessment(ctx, await target(ctx, params.id), body?.reason),
});

export const approveSubmitted = defineOperation({
  ...move,
  id: "aiAssessments.approve",
  path: `${PATH}/{id}/approve`,
  body: actionBody({ id: "AssessmentApproval", example: { reason: "The measures fit the harm." } }).optional(),
  summary: "Approve an assessment that somebody else has made",
  description: "It holds for the asset as it was when it was submitted, and takes the place of an earlier one.",
  access: may("approve"),
  errors: ["invalid_transition", "transition_guard_failed", "self_approval_forbidden"],
  handler: async (ctx, { params, body }) => approveAssessment(ctx, await target(ctx, params.id), body?.reason),
});
