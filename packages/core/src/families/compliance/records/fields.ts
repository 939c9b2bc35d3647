import { Label, Text } from "#families/estate/index.js";
import { ControlId, EVIDENCE_TYPES, FrameworkKey } from "#frameworks/index.js";
import { InvolvedParties, RelatedParty } from "#kernel/records/involved.js";
import { EndTime, StartTime, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

/** The most pieces of evidence in a record, including retired ones. */
export const MOST_EVIDENCE = 200;

/** The fields of a piece of evidence that a caller sets. */
export const GivenEvidence = z.strictObject({
  type: z.enum(EVIDENCE_TYPES).meta({ description: "What kind of evidence." }),
  ref: z.string().trim().min(1).max(1_000).meta({
    description:
      "Where it is. Collected here: the id of a run (`policy_result`), of an asset (`config_snapshot`), or of what events tell of (`event_query`).",
  }),
  digest: z
    .string()
    .regex(/^(?:sha256:)?[0-9a-f]{64}$/, "A SHA-256 in small hexadecimal digits.")
    .nullable()
    .default(null)
    .meta({ description: "SHA-256 of the evidence; a document needs it." }),
  note: z.string().max(1_000).default("").meta({ description: "Remarks about the record." }),
  collectedAt: StartTime.optional().meta({ description: "When it was collected; now, when absent." }),
  validUntil: EndTime.nullable().default(null).meta({ description: "When it ends; `null`: never." }),
});
export type GivenEvidence = z.output<typeof GivenEvidence>;

export const EvidenceItem = z.object({
  ...GivenEvidence.shape,
  collectedAt: Time.meta({ description: "When it was collected." }),
  counts: z
    .record(z.string(), z.number())
    .nullable()
    .default(null)
    .meta({ description: "Numbers of what was collected." }),
  id: z.string().meta({ description: "Names it in `retireEvidence`." }),
  by: z.string().meta({ description: "Who attached it." }),
  addedAt: Time.meta({ description: "When it was attached." }),
  retiredAt: Time.nullable().meta({ description: "When it was taken out of use." }),
  retiredBy: z.string().nullable().meta({ description: "Who took it out of use." }),
});
export type EvidenceItem = z.output<typeof EvidenceItem>;

/** What a caller may set, at the top level of the body or in `configuration`. */
export const ComplianceFields = z.object({
  framework: FrameworkKey,
  controlId: ControlId,
  assetId: Label.nullable().meta({ description: "The asset it is about; `null` for the whole organisation." }),
  assessor: Label.nullable().meta({ description: "Who is to assess it." }),
  rationale: Text.meta({ description: "Why the control stands as it does." }),
  nextReviewAt: EndTime.nullable().meta({ description: "When it is to be looked at again." }),
});
export type ComplianceFields = z.output<typeof ComplianceFields>;

/** Fields that the assessment sets. */
export const AssessedFields = z.object({
  evidence: z.array(EvidenceItem).max(MOST_EVIDENCE).meta({
    description: "What the assessment rests on. `addEvidence` attaches more, `retireEvidence` takes some out of use.",
  }),
  assessedAt: Time.nullable().meta({ description: "When somebody last gave a rationale or evidence." }),
  requestedBy: z.string().nullable().meta({ description: "Who that was: nobody attests what they have assessed." }),
  involved: InvolvedParties,
  relatedParty: RelatedParty,
  attestation: z
    .object({
      by: z.string().meta({ description: "Id of who attested." }),
      at: Time.meta({ description: "When it was attested." }),
      evidence: z.array(z.string()).meta({ description: "Ids of the evidence at hand." }),
      reason: z.string().nullable().meta({ description: "Why, as told with it." }),
    })
    .nullable()
    .meta({
      description:
        "The four-eyes approver behind `compliant`, `exempted` or `not_applicable`, and the evidence of then.",
    }),
  evidenceUntil: Time.nullable().meta({ description: "From then on the evidence no longer carries the status." }),
  staleReason: z.enum(["evidence_stale", "evidence_retired"]).nullable().meta({
    description: "Why it is no longer assessed, where time or a retired piece of evidence has brought that about.",
  }),
});
export type AssessedFields = z.output<typeof AssessedFields>;
