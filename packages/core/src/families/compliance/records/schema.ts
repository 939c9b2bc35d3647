import { z } from "zod";
import { ControlId, EVIDENCE_TYPES, FrameworkKey } from "../../../frameworks/index.js";
import { defineCollection } from "../../../kernel/collection.js";
import type { Context } from "../../../kernel/context.js";
import { AnyObject } from "../../../kernel/generic-body.js";
import { READ_ONLY, recordShape, Time } from "../../../kernel/record.js";
import { Label, Text } from "../../estate/index.js";
import { complianceResult, complianceWorkflow } from "./machine.js";
import { namesOf, RESULTS, WORKFLOW } from "./states.js";

/** Most pieces of evidence that a record holds, retired ones among them. */
export const MOST_EVIDENCE = 200;

/** What a caller states of a piece of evidence. */
export const GivenEvidence = z.strictObject({
  type: z.enum(EVIDENCE_TYPES),
  ref: z.string().trim().min(1).max(1_000).meta({
    description: "Where it is: an address, a number in another system. Never the thing itself, and never a secret.",
  }),
  digest: z
    .string()
    .regex(/^(?:sha256:)?[0-9a-f]{64}$/, "A SHA-256 in small hexadecimal digits.")
    .nullable()
    .default(null),
  note: z.string().max(1_000).default(""),
  collectedAt: Time.optional().meta({ description: "When it was collected; now, when absent." }),
  validUntil: Time.nullable().default(null),
});
export type GivenEvidence = z.output<typeof GivenEvidence>;

export const EvidenceItem = z.object({
  ...GivenEvidence.shape,
  collectedAt: Time,
  id: z.string(),
  by: z.string().meta({ description: "Who attached it." }),
  addedAt: Time,
  retiredAt: Time.nullable(),
  retiredBy: z.string().nullable(),
});
export type EvidenceItem = z.output<typeof EvidenceItem>;

/** What a caller may set: at top level of the body or inside `configuration`. */
export const ComplianceFields = z.object({
  framework: FrameworkKey,
  controlId: ControlId,
  assetId: Label.nullable().meta({ description: "The asset it is about; `null` for the whole organisation." }),
  assessor: Label.nullable().meta({ description: "Who is to assess it." }),
  rationale: Text.meta({ description: "Why the control stands as it does." }),
  nextReviewAt: Time.nullable(),
});
export type ComplianceFields = z.output<typeof ComplianceFields>;

const ReadOnlyFields = z.object({
  evidence: z.array(EvidenceItem).max(MOST_EVIDENCE).meta({
    description: "What the assessment rests on. `addEvidence` attaches more, `retireEvidence` takes some out of use.",
  }),
  assessedAt: Time.nullable().meta({ description: "When somebody last gave a rationale or evidence." }),
  requestedBy: z.string().nullable().meta({ description: "Who that was: nobody attests what they have assessed." }),
  attestation: z
    .object({ by: z.string(), at: Time, evidence: z.array(z.string()) })
    .nullable()
    .meta({ description: "Who has attested that it is compliant, and by which evidence." }),
  evidenceUntil: Time.nullable().meta({ description: "From then on the evidence no longer carries the status." }),
  staleReason: z.enum(["evidence_stale", "evidence_retired"]).nullable().meta({
    description: "Why it is no longer assessed, where time or a retired piece of evidence has brought that about.",
  }),
});
export const COMPLIANCE_READ_ONLY = [...READ_ONLY, ...Object.keys(ReadOnlyFields.shape)];

/** The assessment of one control, for the whole organisation or for one asset. */
export const ComplianceRecord = z
  .object({
    ...recordShape(z.enum(namesOf(RESULTS))),
    workflow: z.enum(namesOf(WORKFLOW)),
    ...ComplianceFields.shape,
    ...ReadOnlyFields.shape,
    configuration: AnyObject,
    attributes: AnyObject,
  })
  .meta({ id: "ComplianceRecord" });
export type ComplianceRecord = z.output<typeof ComplianceRecord>;

/** What stands in the key of a record about the whole organisation. */
export const WHOLE = "tenant";

/** Assessments of controls; one for each control and scope. */
export const compliance = defineCollection<ComplianceRecord>({
  name: "compliance_records",
  prefix: "cmp",
  schema: ComplianceRecord,
  resource: { type: "compliance", event: "compliance", path: "/api/v1/ai/compliance" },
  machines: { status: complianceResult, workflow: complianceWorkflow },
  fields: {
    status: { type: "text" },
    workflow: { type: "text" },
    framework: { type: "text" },
    controlId: { type: "text" },
    scope: { type: "text", of: ({ assetId }) => assetId ?? WHOLE },
    evidenceUntil: { type: "time" },
  },
  unique: { control: ["framework", "controlId", "scope"] },
  indexes: [
    { where: ["status"] },
    { where: ["framework"] },
    { where: ["framework", "status"] },
    { where: ["scope"] },
    { where: [], by: "evidenceUntil" },
  ],
  counted: ["status", "framework", "workflow"],
  related: ({ assetId }) => (assetId === null ? [] : [assetId]),
  retain: true,
  ages: {
    by: "evidenceUntil",
    machine: complianceResult,
    event: "lose_evidence",
    reason: "Its evidence has grown too old.",
    patch: () => ({ evidenceUntil: null, attestation: null, staleReason: "evidence_stale" }),
  },
  onChange: tellExpiry,
});

/** An event of its own for evidence that has grown too old, beside that of the status. */
async function tellExpiry(ctx: Context, before?: ComplianceRecord, after?: ComplianceRecord): Promise<void> {
  if (!before || !after || before.staleReason !== null || after.staleReason !== "evidence_stale") return;
  await ctx.emit({
    type: "compliance.evidence.expired",
    subject: { id: after.id, type: "compliance", path: `/api/v1/ai/compliance/${after.id}` },
    related: after.assetId === null ? [] : [after.assetId],
    data: {
      entity: { type: "compliance", id: after.id, name: after.name },
      framework: after.framework,
      controlId: after.controlId,
      from: before.status,
      evidenceUntil: before.evidenceUntil,
    },
  });
}
