import { defineCollection } from "#kernel/records/collection.js";
import { Attributes } from "#kernel/records/generic-body.js";
import { InvolvedParties, RelatedParty } from "#kernel/records/involved.js";
import { statesOf } from "#kernel/records/machine.js";
import { READ_ONLY, recordShape, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { AssessedFields, AssessmentFields } from "./fields.js";
import { assessmentStatus } from "./machine.js";
import { QUESTIONNAIRES, RATINGS } from "./questionnaires/questionnaire.js";

/** An impact or risk assessment of an asset as it is stored and served. */
export const Assessment = z
  .object({
    ...recordShape(z.enum(statesOf(assessmentStatus))),
    ...AssessmentFields.shape,
    questionnaireVersion: z.int().min(1).meta({ description: "The version of the questions." }),
    assessed: AssessedFields.meta({ description: "The asset as it was when the assessment was begun or submitted." }),
    submittedBy: z.string().nullable().meta({ description: "Id of who submitted it." }),
    submittedAt: Time.nullable().meta({ description: "When it was submitted." }),
    approvedBy: z.string().nullable().meta({ description: "Id of who approved it." }),
    approvedAt: Time.nullable().meta({ description: "When it was approved." }),
    approvalReason: z.string().nullable().meta({ description: "Why it was approved." }),
    involved: InvolvedParties,
    relatedParty: RelatedParty,
    attributes: Attributes,
  })
  .meta({ id: "Assessment" });
export type Assessment = z.output<typeof Assessment>;

export const ASSESSMENT_READ_ONLY = [
  ...READ_ONLY,
  "questionnaireVersion",
  "assessed",
  "submittedBy",
  "submittedAt",
  "approvedBy",
  "approvedAt",
  "approvalReason",
  "involved",
  "relatedParty",
] as const;

/** The asset and the questionnaire of an assessment in one. */
export const subjectOf = ({ assetId, questionnaire }: Pick<Assessment, "assetId" | "questionnaire">) =>
  `${assetId} ${questionnaire}`;

const isOpen = ({ status }: Assessment) => status === "draft" || status === "in_review";

/** Impact and risk assessments. One at a time is open for an asset and a questionnaire. */
export const assessments = defineCollection<Assessment>({
  name: "assessments",
  prefix: "asm",
  schema: Assessment,
  resource: { type: "assessment", event: "assessment", path: "/api/v1/ai-governance/assessments" },
  machines: { status: assessmentStatus },
  related: ({ assetId }) => [assetId],
  involved: {
    free: ["name", "metadata", "attributes"],
    owners: ({ submittedBy }) => (submittedBy === null ? [] : [submittedBy]),
  },
  retain: true,
  fields: {
    status: { type: "text" },
    assetId: { type: "text" },
    questionnaire: { type: "text" },
    /** What it is about: the asset and the questionnaire. */
    subject: { type: "text", of: subjectOf },
    residualRisk: { type: "text" },
    /** The asset and the questionnaire that it is open for. */
    openFor: { type: "text", compare: "exact", of: (one) => (isOpen(one) ? subjectOf(one) : null) },
    endsAt: { type: "time", of: ({ status, validUntil }) => (status === "approved" ? validUntil : null) },
  },
  unique: { open: ["openFor"] },
  indexes: [
    { where: ["assetId"] },
    { where: ["status"] },
    { where: ["subject"] },
    { where: ["questionnaire"] },
    { where: ["residualRisk"] },
    { where: [], by: "endsAt" },
  ],
  filters: {
    assetId: { ids: "ai_asset" },
    status: { values: statesOf(assessmentStatus), changesAt: "endsAt" },
    questionnaire: { values: QUESTIONNAIRES },
    residualRisk: { values: RATINGS },
  },
  orders: { endsAt: "endsAt" },
  search: ({ name, conclusion }) => [name, conclusion].join("\n"),
  counted: ["status", "questionnaire"],
  timeTransition: { by: "endsAt", machine: assessmentStatus, event: "expire", reason: "Its time is over." },
});
