import { AnyObject } from "#kernel/records/generic-body.js";
import { InvolvedParties } from "#kernel/records/involved.js";
import { recordShape, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import {
  CLOSED_REASONS,
  DETECTIONS,
  DISMISSAL_REASONS,
  FINDING_STATUSES,
  SEVERITIES,
  SOURCES,
  WORKFLOWS,
} from "./finding-terms.js";
import { Party } from "./review-party.js";

const Episode = z.object({
  openedAt: Time.meta({ description: "When it was found." }),
  resolvedAt: Time.nullable().meta({ description: "When it was gone; `null`: not yet." }),
});
const Digest = z.string().meta({ description: "SHA-256, lower-case hex." });

const Cover = z.object({
  exemptionId: z.string().meta({ description: "Id of the exemption." }),
  startsAt: Time.meta({ description: "When it begins." }),
  expiresAt: Time.meta({ description: "When it ends." }),
  maxSeverity: z.enum(SEVERITIES).meta({ description: "The gravest that it takes in." }),
  boundEvidenceDigest: Digest.nullable().meta({ description: "Holds only while the evidence is this." }),
});

const Dismissal = z.object({
  reasonCode: z.enum(DISMISSAL_REASONS).meta({ description: "Why it is no finding." }),
  reason: z.string().meta({ description: "The same in words." }),
  by: z.string().meta({ description: "Id of who dismissed it." }),
  at: Time.meta({ description: "When it was dismissed." }),
  confirmedBy: z.string().nullable().meta({ description: "The four-eyes approver, where one was needed." }),
  evidenceDigest: Digest.meta({ description: "SHA-256 of the evidence then." }),
  severity: z.enum(SEVERITIES).meta({ description: "The graver of its evaluated and its effective severity then." }),
});
export type Dismissal = z.output<typeof Dismissal>;

const SeverityOverride = z.object({
  value: z.enum(SEVERITIES).meta({ description: "The severity that counts." }),
  by: z.string().meta({ description: "Id of who said so." }),
  reason: z.string().meta({ description: "Why it was said." }),
  at: Time.meta({ description: "When it was said." }),
});

/** What is wrong with an asset, as it is stored and served. */
export const Finding = z
  .object({
    ...recordShape(z.enum(FINDING_STATUSES)),
    fingerprint: Digest.meta({ description: "Of policy, rule, asset and locus; the same for ever." }),
    source: z.enum(SOURCES).meta({ description: "Who found it: a policy, or Reeve itself about access." }),
    policyId: z.string().nullable().meta({ description: "Id of the policy; `null` where none found it." }),
    policyKey: z.string().meta({ description: "Key of the policy; `reeve/access` of findings about access." }),
    policyRevision: z.int().min(1).nullable().meta({ description: "Revision of the policy." }),
    ruleKey: z.string().meta({ description: "Key of the rule." }),
    assetId: z.string().meta({ description: "Id of the asset." }),
    assetName: z.string().meta({ description: "Name of the asset." }),
    locus: z.string().meta({ description: "What of the asset it is about; empty for all of it." }),
    title: z.string().meta({ description: "The finding in few words." }),
    message: z.string().meta({ description: "What is wrong." }),
    remediation: z.string().meta({ description: "How to put it right." }),
    category: z.string().meta({ description: "Category of the policy." }),
    severity: z.enum(SEVERITIES).meta({ description: "Of the rule or its policy." }),
    raised: z.boolean().meta({ description: "One step graver: the asset is of high risk and in production." }),
    severityOverride: SeverityOverride.nullable().meta({ description: "What people said instead." }),
    severityRequest: SeverityOverride.nullable().meta({
      description: "A lower one, which waits for a four-eyes approver.",
    }),
    effectiveSeverity: z.enum(SEVERITIES).meta({ description: "What counts, and what lists are filtered by." }),
    controls: z.array(z.string()).meta({ description: "Controls of frameworks that it is evidence against." }),
    baseline: z.boolean().meta({
      description: "An imported asset brought it along, and nobody has decided about it yet. It ranks below others.",
    }),
    gate: z.boolean().meta({ description: "From a policy that must pass before production." }),
    detection: z.enum(DETECTIONS).meta({ description: "What evaluations saw." }),
    workflow: z.enum(WORKFLOWS).meta({ description: "What people did about it." }),
    assignee: Party.nullable().meta({ description: "Who is to deal with it." }),
    exemptionId: z.string().nullable().meta({ description: "The exemption that holds at this moment." }),
    covers: z
      .array(Cover)
      .meta({ description: "Approved exemptions that take it in, each within its time and bounds." }),
    dismissal: Dismissal.nullable().meta({ description: "Why it is no finding." }),
    dismissalRequest: Dismissal.nullable().meta({ description: "Waits for a four-eyes approver." }),
    firstSeenAt: Time.meta({ description: "When it was first found." }),
    lastSeenAt: Time.meta({ description: "When it was last found." }),
    resolvedAt: Time.nullable().meta({ description: "When it was gone." }),
    episodes: z.array(Episode).meta({ description: "The last 50, the newest at the end." }),
    episodeCount: z.int().min(1).meta({ description: "How often it was found anew." }),
    regressionCount: z.int().min(0).meta({ description: "How often it came back." }),
    refutedFixes: z.int().min(0).meta({ description: "Claims of a fix that an evaluation refuted." }),
    occurrences: z.int().min(1).meta({ description: "Evaluations that saw it." }),
    regressed: z.boolean().meta({ description: "It had been resolved, and came back." }),
    involved: InvolvedParties.meta({ description: "Who claimed a fix since it was found." }),
    verifiedFix: z.boolean().meta({ description: "Somebody claimed the fix, and an evaluation bore it out." }),
    stale: z.boolean().meta({ description: "The last evaluation failed; what stands here is what was known before." }),
    staleSince: Time.nullable().meta({ description: "Since when evaluations fail." }),
    dueAt: Time.nullable().meta({
      description: "When it is to be resolved by, from severity and start of the episode.",
    }),
    slaBreached: z.boolean().meta({ description: "It is open beyond its due date." }),
    slaBreachedAt: Time.nullable().meta({ description: "The due date that passed in this episode while it was open." }),
    nextChangeAt: Time.nullable().meta({ description: "When time alone changes it next." }),
    evidence: z
      .object({
        snapshotDigest: Digest.meta({ description: "Of all that was known of the asset." }),
        digest: Digest.meta({ description: "Of the values that the rule read." }),
        values: AnyObject.meta({ description: "These values, without what is secret." }),
      })
      .meta({ description: "What it rests on." }),
    ticketRef: z.string().nullable().meta({ description: "A ticket in another system." }),
    closedReason: z.enum(CLOSED_REASONS).nullable().meta({ description: "Why it was closed." }),
    reevaluationRequestedAt: Time.nullable().meta({ description: "When somebody asked for another look." }),
  })
  .meta({ id: "Finding" });
export type Finding = z.output<typeof Finding>;
