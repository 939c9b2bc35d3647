import { z } from "#schema/z.js";

export const CONTROL_KINDS = ["automated", "manual", "hybrid"] as const;
export const ROLES = ["provider", "deployer", "importer", "distributor", "gpai_provider"] as const;
export type Role = (typeof ROLES)[number];
export const EVIDENCE_TYPES = ["policy_result", "event_query", "config_snapshot", "document", "attestation"] as const;

/** The most controls of one framework. */
export const MOST_CONTROLS = 500;

const Day = z.iso.date().meta({ description: "A day, as in `2027-12-02`.", example: "2027-12-02" });
const Slug = "[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?";

export const FrameworkKey = z
  .string()
  .regex(/^[a-z0-9][a-z0-9.-]{0,62}[a-z0-9]$/, "Small letters, digits, dots and dashes, 2 to 64.")
  .meta({ description: "What the framework is known by.", example: "acme-ai-standard-2026" });

export const ControlId = z
  .string()
  .regex(/^[^\s:](?:[^:\n]{0,98}[^\s:])?$/, "Up to 100 characters without a colon, none of them blank at its ends.")
  .meta({ description: "What the control is known by within its framework.", example: "GOVERN 1.6" });

/** What an organisation does with AI. `gpai_provider`: offers general-purpose models. */
export const Roles = z.array(z.enum(ROLES)).max(ROLES.length);

export const EvidenceRequirement = z.strictObject({
  type: z.enum(EVIDENCE_TYPES).meta({ description: "What kind of evidence." }),
  minCount: z.int().min(1).max(20).default(1).meta({ description: "Pieces that must be at hand." }),
  freshnessDays: z
    .int()
    .min(1)
    .max(3_650)
    .nullable()
    .default(null)
    .meta({ description: "Evidence counts for so many days after it was collected; `null` for ever." }),
});
export type EvidenceRequirement = z.output<typeof EvidenceRequirement>;

/** A requirement of a framework, in its author's words and not the standard's. */
export const FrameworkControl = z.strictObject({
  id: ControlId,
  parent: ControlId.nullable().default(null).meta({ description: "The control of this framework that it is part of." }),
  title: z.string().trim().min(1).max(300).meta({ description: "The requirement in few words." }),
  kind: z.enum(CONTROL_KINDS).meta({
    description: "`automated`: judged by rules. `manual`: by people. `hybrid`: by both.",
  }),
  applicability: z.string().min(1).max(4_096).nullable().default(null).meta({
    description: "A CEL expression over the numbers of the estate, as in `estate.riskTier.high > 0`. `null`: always.",
  }),
  appliesFrom: Day.nullable().default(null).meta({ description: "The day from which it binds; `null`: already." }),
  roles: Roles.default([]).meta({ description: "Whom it binds, by what they do with AI; empty: everybody." }),
  policyRules: z
    .array(z.string().regex(new RegExp(`^${Slug}(?:/${Slug})?$`), "`policyKey` or `policyKey/ruleKey`."))
    .max(50)
    .default([])
    .meta({ description: "Rules that are evidence for it: of whole policies, or single ones." }),
  automation: z.string().max(1_000).default("").meta({
    description: "Why passes of its rules are evidence for it, and what they leave open.",
  }),
  evidence: z.array(EvidenceRequirement).max(10).default([]).meta({
    description: "What must be at hand before people may call it compliant.",
  }),
  weight: z.int().min(1).max(10).default(1).meta({ description: "Its share in scores." }),
  guidance: z.string().max(1_000).default("").meta({ description: "What to do, and what shows that it is done." }),
  note: z.string().max(1_000).default("").meta({ description: "What is uncertain about its text or its day." }),
  selectable: z.boolean().default(false).meta({
    description: "Stands in the statement of applicability: taken up, or left out with a reason.",
  }),
  sourceRef: z.string().max(300).default("").meta({ description: "Where the source says so." }),
  reviewedAt: Day.nullable().default(null).meta({ description: "When somebody last held it against the source." }),
});
export type FrameworkControl = z.output<typeof FrameworkControl>;

/** What the author of a framework provides. Mappings to rules are suggestions, not legal advice. */
export const FrameworkFields = z.strictObject({
  name: z.string().trim().min(1).max(200).meta({ description: "Name of the framework." }),
  publisher: z.string().trim().min(1).max(200).meta({ description: "Who publishes the source." }),
  edition: z.string().trim().min(1).max(100).meta({ description: "Edition of the source.", example: "1.0" }),
  sourceUrl: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .nullable()
    .default(null)
    .meta({ description: "Where the source is published." }),
  source: z.string().max(2_000).default("").meta({ description: "What the data rests on, in words." }),
  checkedOn: Day.nullable().default(null).meta({ description: "When the data was last held against the source." }),
  terms: z.string().max(2_000).default("").meta({ description: "On what terms the source may be used." }),
  controls: z.array(FrameworkControl).min(1).max(MOST_CONTROLS).meta({ description: "The controls of the framework." }),
});
export type FrameworkFields = z.output<typeof FrameworkFields>;

/** A built-in framework. Raise `version` with every change of its data. */
export interface BuiltinFramework extends FrameworkFields {
  readonly key: string;
  readonly version: number;
}
