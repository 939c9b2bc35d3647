import { z } from "zod";
import { defineCollection } from "../../kernel/collection.js";
import { recordShape, Time } from "../../kernel/record.js";

export const SEVERITIES = ["info", "low", "medium", "high", "critical"] as const;

export const FINDING_STATUSES = [
  "open",
  "acknowledged",
  "in_progress",
  "fix_claimed",
  "exempted",
  "dismissed",
  "resolved",
  "closed",
] as const;

/** What a policy found wrong with an asset. Written by evaluation runs; `status` is derived by them. */
export const Finding = z
  .object({
    ...recordShape(z.enum(FINDING_STATUSES)),
    assetId: z.string(),
    policyId: z.string(),
    ruleKey: z.string(),
    severity: z.enum(SEVERITIES),
    /** From a policy that must pass before production. */
    gate: z.boolean(),
    message: z.string(),
    remediation: z.string(),
    firstSeenAt: Time,
    lastSeenAt: Time,
  })
  .meta({ id: "Finding" });
export type Finding = z.output<typeof Finding>;

/** Findings, readable by the asset they concern. */
export const findings = defineCollection<Finding>({
  name: "findings",
  prefix: "fnd",
  schema: Finding,
  resource: { type: "finding", event: "finding", path: "/api/v1/ai-governance/findings" },
  retain: true,
  fields: {
    assetId: { type: "text" },
    /** Holds the asset back from production: from a gating policy, and not yet resolved, exempted, dismissed or closed. */
    blocking: { type: "boolean", of: (finding) => finding.gate && OPEN.has(finding.status) },
  },
  indexes: [{ where: ["assetId"] }, { where: ["assetId", "blocking"] }],
  search: (finding) => `${finding.name}\n${finding.message}\n${finding.ruleKey}`,
});

const OPEN: ReadonlySet<string> = new Set(["open", "acknowledged", "in_progress", "fix_claimed"]);
