import { assets } from "#families/estate/index.js";
import { defineMachine, type Guard } from "#kernel/operation/guard.js";
import { changedSince } from "./assessment-standing.js";
import type { AssessedFields, AssessmentFields } from "./fields.js";
import { missingAnswers } from "./standing-answers.js";

/** The fields that guards read. */
interface Assessed extends AssessmentFields {
  readonly assessed: AssessedFields;
}

const answered: Guard<Assessed> = {
  description: "Every question is answered, and a conclusion with the remaining risk is drawn.",
  check({ record }) {
    const missing = missingAnswers(record);
    return missing.length === 0 ? undefined : `It lacks ${missing.join(", ")}.`;
  },
};

const current: Guard<Assessed> = {
  description: "The asset is as it was when the assessment was submitted.",
  async check({ record, after, ctx }) {
    const row = await ctx.db.get(assets, record.assetId);
    if (!row) return "The asset is gone.";
    const changed = changedSince(after.assessed, row.value);
    return changed.length === 0 ? undefined : `The asset has changed since: ${changed.join(", ")}. Submit it again.`;
  },
};

const timely: Guard<Assessed> = {
  description: "Its end lies ahead.",
  check: ({ after, ctx }) =>
    after.validUntil === null || after.validUntil > ctx.now ? undefined : `Its end, ${after.validUntil}, has passed.`,
};

/** `status` of an assessment. */
export const assessmentStatus = defineMachine<Assessed>()({
  name: "assessmentStatus",
  field: "status",
  eventType: "assessment.status.changed",
  states: {
    draft: "Its questions are being answered.",
    in_review: "Waits for somebody else's decision.",
    approved: "Holds for the asset as it was assessed.",
    expired: "Its time is over.",
    superseded: "A later one has taken its place.",
  },
  initial: ["draft"],
  guards: { answered, current, timely },
  transitions: [
    {
      event: "submit",
      from: ["draft"],
      to: "in_review",
      permission: "ai-assessment:write",
      asks: true,
      guards: ["answered", "current"],
    },
    { event: "return", from: ["in_review"], to: "draft", permission: "ai-assessment:write", needsReason: true },
    {
      event: "approve",
      from: ["in_review"],
      to: "approved",
      permission: "ai-assessment:approve",
      fourEyes: true,
      seen: true,
      keepsInvolved: true,
      guards: ["current", "timely"],
    },
    { event: "expire", from: ["approved"], to: "expired", automatic: true },
    { event: "supersede", from: ["approved"], to: "superseded", automatic: true },
  ],
});
