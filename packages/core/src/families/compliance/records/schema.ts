import { defineCollection } from "#kernel/records/collection.js";
import { Attributes, Configuration } from "#kernel/records/generic-body.js";
import { READ_ONLY, recordShape } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { AssessedFields, ComplianceFields } from "./fields.js";
import { complianceResult, complianceWorkflow } from "./machine.js";
import { namesOf, RESULTS, WORKFLOW } from "./workflow-states.js";

export const COMPLIANCE_READ_ONLY = [...READ_ONLY, ...Object.keys(AssessedFields.shape)];

/** The assessment of one control, for the whole organisation or for one asset. */
export const ComplianceRecord = z
  .object({
    ...recordShape(z.enum(namesOf(RESULTS))),
    workflow: z.enum(namesOf(WORKFLOW)).meta({ description: "How far the work on it is." }),
    ...ComplianceFields.shape,
    ...AssessedFields.shape,
    configuration: Configuration,
    attributes: Attributes,
  })
  .meta({ id: "ComplianceRecord" });
export type ComplianceRecord = z.output<typeof ComplianceRecord>;

/** The asset part of the key of a record about the whole organisation. */
export const WHOLE = "tenant";

/** Assessments of controls, one per control and scope. */
export const compliance = defineCollection<ComplianceRecord>({
  name: "compliance_records",
  prefix: "cmp",
  schema: ComplianceRecord,
  resource: { type: "compliance", event: "compliance", path: "/api/v1/ai/compliance" },
  machines: { status: complianceResult, workflow: complianceWorkflow },
  involved: {
    free: ["name", "metadata", "attributes", "assessor", "nextReviewAt", "configuration"],
    owners: ({ requestedBy }) => (requestedBy === null ? [] : [requestedBy]),
  },
  fields: {
    status: { type: "text" },
    workflow: { type: "text" },
    framework: { type: "text", compare: "canonical" },
    controlId: { type: "text", compare: "canonical" },
    scope: { type: "text", compare: "canonical", of: ({ assetId }) => assetId ?? WHOLE },
    assessor: { type: "text" },
    evidenceUntil: { type: "time" },
    nextReviewAt: { type: "time" },
  },
  unique: { control: ["framework", "controlId", "scope"] },
  indexes: [
    { where: ["assessor"] },
    { where: ["scope"] },
    { where: ["framework"] },
    { where: ["status"] },
    { where: [], by: "evidenceUntil" },
    { where: [], by: "nextReviewAt" },
  ],
  filters: {
    framework: { description: "Records of this framework." },
    controlId: {},
    status: { values: namesOf(RESULTS), changesAt: "evidenceUntil" },
    workflow: { values: namesOf(WORKFLOW) },
    assetId: { field: "scope", ids: "ai_asset", description: `\`${WHOLE}\` for the whole organisation.` },
    assessor: {},
  },
  orders: { evidenceUntil: "evidenceUntil", nextReviewAt: "nextReviewAt" },
  search: ({ name, framework, controlId, rationale }) => [name, framework, controlId, rationale].join("\n"),
  counted: ["status", "framework", "workflow"],
  related: ({ assetId }) => (assetId === null ? [] : [assetId]),
  retain: true,
  timeTransition: {
    by: "evidenceUntil",
    machine: complianceResult,
    event: "lose_evidence",
    reason: "Its evidence has grown too old.",
    patch: () => ({ evidenceUntil: null, attestation: null, staleReason: "evidence_stale" }),
  },
});
