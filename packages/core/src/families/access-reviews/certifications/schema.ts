import { defineCollection } from "#kernel/records/collection.js";
import { Attributes } from "#kernel/records/generic-body.js";
import { statesOf } from "#kernel/records/machine.js";
import { READ_ONLY, recordShape, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { sha256 } from "#store/chain.js";
import { CertificationFields, type CertificationTerms } from "./fields.js";
import { certificationStatus } from "./machine.js";

const Count = z.int().min(0);

/** What a confirmation lets a campaign revoke. */
export const REVOKES = ["all", "decided", "none"] as const;

const Confirmation = z.object({
  revokes: Count.meta({ description: "Revocations in all." }),
  silent: Count.meta({ description: "Those that nobody has decided." }),
  items: Count.meta({ description: "Items that could be decided." }),
  recent: Count.meta({ description: "Revocations of other campaigns within the last hour." }),
  by: z.string().nullable().meta({ description: "Id of who confirmed." }),
  at: Time.nullable().meta({ description: "The time when it happened." }),
  chosen: z.enum(REVOKES).nullable().meta({ description: "What is revoked: all, what people decided, or nothing." }),
});

export const CertificationReport = z.object({
  items: Count.meta({ description: "Items of the campaign." }),
  outcomes: z.record(z.string(), Count).meta({ description: "How many ended in which way." }),
  itemsHash: z.string().meta({ description: "SHA-256 over what became of each item, in order." }),
  generatedAt: Time.meta({ description: "The time when the items were made." }),
});

/** A certification campaign, as it is stored. */
export const StoredCertification = z
  .object({
    ...recordShape(z.enum(statesOf(certificationStatus))),
    ...CertificationFields.shape,
    iteration: z.int().min(1).meta({ description: "Which repetition it is." }),
    previousId: z.string().nullable().meta({ description: "The campaign that it repeats." }),
    requestId: z.string().nullable().meta({ description: "The request whose access it reviews." }),
    stage: z.int().min(0).meta({ description: "Which of the stages, from 0." }),
    stageDueAt: Time.nullable().meta({ description: "When the stage ends." }),
    escalated: z.boolean().meta({ description: "What nobody had decided went to its owner." }),
    waitingFor: z.enum(["data"]).nullable().meta({ description: "`data`: what is known of targets is too old." }),
    startedAt: Time.nullable().meta({ description: "When reviewers were asked." }),
    closedAt: Time.nullable().meta({ description: "Since when nobody decides any more." }),
    endedAt: Time.nullable().meta({ description: "When it was over." }),
    confirmation: Confirmation.nullable().meta({ description: "What must be confirmed, and who has." }),
    report: CertificationReport.nullable().meta({ description: "What came of it." }),
    reportHash: z.string().nullable().meta({ description: "SHA-256 of `report` in canonical form." }),
    attributes: Attributes,
  })
  .meta({ id: "StoredAccessCertification" });
export type Certification = Omit<z.output<typeof StoredCertification>, keyof CertificationTerms> & CertificationTerms;

/** A campaign with how far it is, as it is served. */
export const ShownCertification = StoredCertification.extend({
  counts: z.record(z.string(), Count).meta({
    description: "Items by state; decided ones by outcome, and `held`: pending with nobody who may review.",
  }),
}).meta({ id: "AccessCertification" });

/** Properties of a campaign that no body sets: a body may repeat them but not change them. */
export const CERTIFICATION_READ_ONLY: readonly string[] = [
  ...READ_ONLY,
  ...["iteration", "previousId", "requestId", "stage", "stageDueAt", "escalated", "waitingFor", "startedAt"],
  ...["closedAt", "endedAt", "confirmation", "report", "reportHash", "counts"],
];

/** Campaigns in which people say whether access is still right. */
export const certifications = defineCollection<Certification>({
  name: "access_certifications",
  prefix: "cert",
  // Records have every default of their terms, which callers may leave out.
  schema: StoredCertification as unknown as z.ZodType<Certification>,
  resource: { type: "access_certification", event: "access.certification", path: "/api/v1/access-certifications" },
  machines: { status: certificationStatus },
  related: ({ requestId }) => (requestId === null ? [] : [requestId]),
  fields: {
    status: { type: "text" },
    kind: { type: "text" },
    ownerId: { type: "text" },
    requestId: { type: "text" },
    dueAt: { type: "time" },
    closedAt: { type: "time" },
  },
  indexes: [
    { where: ["status"] },
    { where: ["requestId"] },
    { where: [], by: "dueAt" },
    { where: [], by: "closedAt", partial: true },
  ],
  filters: { status: { values: statesOf(certificationStatus) }, kind: {}, ownerId: {}, requestId: {} },
  orders: { dueAt: "dueAt" },
  counted: ["status"],
});

/** What a run of a campaign does next. */
export const PHASES = [
  ...["preparing", "waiting", "assigning", "reviewing", "closing", "remediating", "reporting", "cancelling", "over"],
  "outdating",
] as const;

const CertificationRun = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  /** The campaign; `null` for a run about a profile that means something else. */
  certificationId: z.string().nullable(),
  accessProfileId: z.string().nullable(),
  phase: z.enum(PHASES),
  /** Where the phase goes on. */
  cursor: z.string().nullable(),
  /** Items so far, of the phase. */
  items: z.int(),
  /** Hash over the items so far, for the report. */
  digest: z.string(),
  /** Failed attempts in a row. */
  attempts: z.int(),
  /** When it is to go on, or the lease of the process that works on it ends. */
  dueAt: Time.nullable(),
});
export type CertificationRun = z.output<typeof CertificationRun>;

/** How far campaigns have come, apart from the records that the API serves. */
export const certificationRuns = defineCollection<CertificationRun>({
  name: "access_certification_runs",
  prefix: "crr",
  schema: CertificationRun,
  fields: { certificationId: { type: "text", compare: "exact" }, dueAt: { type: "time" } },
  unique: { certification: ["certificationId"] },
  indexes: [{ where: [], by: "dueAt", partial: true }],
  secrets: [],
});

const ReviewPanel = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  members: z.array(z.string()),
});
export type ReviewPanel = z.output<typeof ReviewPanel>;

/** What a set of people is found by. They are sorted. */
export const panelKey = (members: readonly string[]) => sha256(members.join(" "));

/** Sets of people who review together. Items name one, so that many of them share it. */
export const reviewPanels = defineCollection<ReviewPanel>({
  name: "access_review_panels",
  prefix: "arp",
  schema: ReviewPanel,
  fields: {
    members: { type: "texts" },
    key: { type: "text", compare: "exact", of: ({ members }) => panelKey(members) },
  },
  unique: { key: ["key"] },
  filters: { members: {} },
  secrets: [],
});
