import { FlaggedDecision } from "#families/accountability/index.js";
import { Halt } from "#families/estate/index.js";
import { Finding } from "#families/findings/index.js";
import { Exemption } from "#families/governance/index.js";
import { recordFields } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { ComplianceRecord } from "../../records/schema.js";

/** The most rows of each register in a report. */
export const MOST_ROWS = 1_000;

const count = z.int().min(0);

/** The registers of what other permissions read, each with the one without which it is left out. */
export const READ_BY = {
  findings: "ai-finding:read",
  exemptions: "ai-exemption:read",
  policies: "ai-policy:read",
  flaggedDecisions: "ai-flagged-decision:read",
  halts: "ai-halt:read",
  people: "user:read",
} as const;
export type GuardedRegister = keyof typeof READ_BY;

/** A line of the statement of applicability. */
export const Statement = z.object({
  framework: z.string().meta({ description: "Key of the framework." }),
  controlId: z.string().meta({ description: "Id of the control in its framework." }),
  applicable: z.boolean().meta({ description: "Whether it is taken up." }),
  justification: z.string().meta({ description: "Why; empty: nobody has said." }),
});

/** What an auditor samples: each list is ordered, and bounded as `omitted` says. */
export const registers = {
  assessments: z.array(ComplianceRecord).meta({ description: "All assessments, also of assets." }),
  findings: z.array(Finding).meta({ description: "Open findings, the gravest first." }),
  exemptions: z.array(Exemption).meta({ description: "Exemptions in every state, the last to end first." }),
  policies: z
    .array(
      z.object({
        key: z.string().meta({ description: "Key of the policy." }),
        name: z.string().meta({ description: "Name of the policy." }),
        status: z.string().meta({ description: "The state of the record." }),
        revision: z.int().meta({ description: "Revision of the record." }),
        digest: z.string().meta({ description: "SHA-256 of it." }),
        updatedAt: recordFields.updatedAt,
        updatedBy: recordFields.updatedBy,
      }),
    )
    .meta({ description: "Policies with their revisions." }),
  flaggedDecisions: z
    .array(FlaggedDecision)
    .meta({ description: "Decisions by related parties, the newest first, each with who has settled it." }),
  halts: z.array(Halt).meta({ description: "Halts, active and lifted, the newest first." }),
  statement: z.array(Statement).meta({ description: "The statement of applicability." }),
  people: z.record(z.string(), z.string()).meta({ description: "Names by the ids of this report." }),
  assets: z.record(z.string(), z.string()).meta({ description: "Names of assets by the ids of this report." }),
  withheld: z
    .array(z.enum(Object.keys(READ_BY) as [GuardedRegister, ...GuardedRegister[]]))
    .meta({ description: "Registers that are left out because whoever prepared the report may not read them." }),
  omitted: z
    .object({
      assessments: count.meta({ description: "Assessments left out." }),
      findings: count.meta({ description: "Findings left out." }),
      exemptions: count.meta({ description: "Exemptions left out." }),
      flaggedDecisions: count.meta({ description: "Flagged decisions left out." }),
      halts: count.meta({ description: "Halts left out." }),
    })
    .meta({ description: "Rows beyond the most that a report holds." }),
};
