import { Text } from "#families/estate/index.js";
import { SEVERITIES } from "#families/findings/index.js";
import { EndTime, StartTime } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { Selector } from "../policies/fields.js";

/** Reasons to accept a finding. */
export const EXEMPTION_CATEGORIES = ["waiver", "mitigated", "risk_accepted", "false_positive_pattern"] as const;

const Key = z.string().min(1).max(100);
const Digest = z.string().regex(/^[0-9a-f]{64}$/, "SHA-256, lower-case hex.");
const RuleKeys = z.array(Key).max(50).default([]).meta({ description: "Rules of the policy; empty for all." });

export const Scope = z
  .union([
    z.strictObject({ fingerprint: Digest.meta({ description: "Fingerprint of the finding." }) }),
    z.strictObject({
      policyKey: Key.meta({ description: "Key of the policy." }),
      ruleKeys: RuleKeys,
      assetId: Key.meta({ description: "Id of the asset." }),
    }),
    z.strictObject({
      policyKey: Key.meta({ description: "Key of the policy." }),
      ruleKeys: RuleKeys,
      selector: Selector.meta({ description: "The assets it takes in." }),
    }),
  ])
  .meta({
    description:
      "One finding by its fingerprint, or those of a policy on one asset or on all that a selector takes in.",
  });
export type Scope = z.output<typeof Scope>;

/** What a caller may set, at the top level of the body or in `configuration`. */
export const ExemptionFields = z.object({
  category: z.enum(EXEMPTION_CATEGORIES).meta({ description: "Why the finding is accepted." }),
  scope: Scope,
  maxSeverity: z.enum(SEVERITIES).meta({ description: "Findings graver than this are not exempted." }),
  boundEvidenceDigest: Digest.nullable().meta({ description: "Holds only while the evidence is this." }),
  compensatingControls: Text.meta({ description: "What guards against it meanwhile." }),
  ticketRef: z.string().max(500).nullable().meta({ description: "A ticket in another system." }),
  startsAt: StartTime.meta({ description: "When it begins." }),
  expiresAt: EndTime.meta({ description: "When it ends." }),
  renewalOf: z.string().max(100).nullable().meta({ description: "The exemption whose scope it takes over." }),
});
export type ExemptionFields = z.output<typeof ExemptionFields>;
