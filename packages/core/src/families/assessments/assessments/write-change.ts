import { type Asset, assets } from "#families/estate/index.js";
import { invalidProperty } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { nameOf } from "#kernel/records/cut-text.js";
import { NONE_INVOLVED, withInvolved } from "#kernel/records/involved.js";
import { transitionRefused } from "#kernel/records/machine.js";
import { timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import { assessedOf } from "./assessment-standing.js";
import { assessmentStatus } from "./machine.js";
import { QUESTIONNAIRE_TABLE } from "./questionnaires/index.js";
import { type Assessment, assessments, subjectOf } from "./schema.js";
import { type AssessmentBody, type AssessmentChangeBody, checkAnswers } from "./write-body.js";

/** How long an approved assessment holds that names no end. */
const VALID_MS = daysMs(365);
/** The newest assessments of a subject, among them the one in force. */
const NEWEST = 10;

/** Begins an assessment of an asset. */
export async function addAssessment(ctx: Context, { fields, free }: AssessmentBody): Promise<Assessment> {
  const { assetId, questionnaire } = fields;
  if (questionnaire === undefined) throw invalidProperty("/questionnaire", "It is required.");
  if (assetId === undefined) throw invalidProperty("/assetId", "It is required.");
  const asset = await assetOf(ctx, assetId);
  const { version: questionnaireVersion, name } = QUESTIONNAIRE_TABLE[questionnaire];
  const { answers = {}, conclusion = "", residualRisk = null, validUntil = null } = fields;
  checkAnswers({ questionnaire, answers });
  const { id, version, ...marks } = ctx.stamp(assessments);
  return ctx.insert(assessments, {
    id,
    name: free.name ?? nameOf(`${name} of ${asset.name}`),
    status: "draft",
    version,
    metadata: free.metadata ?? {},
    ...marks,
    assetId,
    questionnaire,
    questionnaireVersion,
    answers,
    conclusion,
    residualRisk,
    validUntil,
    assessed: assessedOf(asset),
    submittedBy: null,
    submittedAt: null,
    approvedBy: null,
    approvedAt: null,
    approvalReason: null,
    involved: withInvolved(NONE_INVOLVED, [ctx.principal.userId]),
    relatedParty: false,
    attributes: free.attributes ?? {},
  });
}

/** Changes a draft. Answers that are sent replace those to the same questions. 409 once it is submitted. */
export async function changeAssessment(
  ctx: Context,
  before: Assessment,
  { fields, free }: AssessmentChangeBody,
): Promise<Assessment> {
  const { answers, ...plain } = fields;
  const patch = { ...plain, ...free, ...(answers ? { answers: { ...before.answers, ...answers } } : {}) };
  checkAnswers({ ...before, ...patch });
  if (before.status !== "draft")
    throw transitionRefused("Only a draft can be changed; send it back first.", {
      machine: assessmentStatus,
      current: before.status,
      allowed: ["draft"],
    });
  return ctx.update(assessments, before, patch);
}

/** Hands a draft to somebody else for approval, with the asset as it is now. */
export async function submitAssessment(ctx: Context, before: Assessment, reason?: string): Promise<Assessment> {
  const asset = await ctx.db.get(assets, before.assetId);
  const assessed = asset ? { assessed: assessedOf(asset.value) } : {};
  const patch = { ...assessed, submittedBy: ctx.principal.userId, submittedAt: ctx.now };
  return ctx.transition(assessments, assessmentStatus, before, { to: "in_review" }, { reason, patch });
}

/** Sends an assessment back to be worked on. */
export function returnAssessment(ctx: Context, before: Assessment, reason?: string): Promise<Assessment> {
  return ctx.transition(assessments, assessmentStatus, before, { event: "return" }, { reason });
}

/** Approves what somebody else has assessed. It takes the place of an earlier one. */
export async function approveAssessment(ctx: Context, before: Assessment, reason?: string): Promise<Assessment> {
  const owner = (await ctx.db.get(assets, before.assetId))?.value.owner;
  const validUntil = before.validUntil ?? timestamp(ctx.request.nowMs + VALID_MS);
  const patch = { approvedBy: ctx.principal.userId, approvedAt: ctx.now, approvalReason: reason ?? null, validUntil };
  const options = { reason, patch, involved: owner ? [owner.id] : [] };
  const approved = await ctx.transition(assessments, assessmentStatus, before, { to: "approved" }, options);
  if (before.status !== "approved") await supersedeBefore(ctx, approved);
  return approved;
}

async function supersedeBefore(ctx: Context, { id, assetId, questionnaire }: Assessment): Promise<void> {
  const where = { subject: subjectOf({ assetId, questionnaire }) };
  const { rows } = await ctx.db.find(assessments, { where, size: NEWEST });
  for (const row of rows.filter((one) => one.id !== id)) {
    const standing = await ctx.current(assessments, row);
    if (standing.status !== "approved") continue;
    const options = { triggeredBy: "policy", reason: "A later assessment was approved." } as const;
    await ctx.transition(assessments, assessmentStatus, standing, { event: "supersede" }, options);
  }
}

async function assetOf(ctx: Context, assetId: string): Promise<Asset> {
  const row = await ctx.db.get(assets, assetId);
  if (!row) throw invalidProperty("/assetId", "There is no such asset.", "invalid_reference");
  return row.value;
}
