import { createHash } from "node:crypto";
import { collections } from "@reeve/core/reference";
import type { StoredCollection, StoredRecord } from "@reeve/core/store";

const STATUSES = [
  "open",
  "open",
  "acknowledged",
  "in_progress",
  "resolved",
  "resolved",
  "dismissed",
  "closed",
] as const;
const SEVERITIES = ["info", "low", "low", "medium", "medium", "medium", "high", "high", "critical"] as const;
const POLICIES = 40;
const FINDINGS_OF_ASSET = 5;
const RARE_FINDINGS = 7;
const DAY = 86_400_000;

/** A word in a handful of findings, whatever their number. */
export const RARE_WORD = "zanzibar";

/** The collection of findings, typed for stores. */
export const findings = collections.find(
  ({ name }) => name === "findings",
) as unknown as StoredCollection<StoredRecord>;

/** Policy and asset of the nth finding. */
export const policyId = (at: number): string => `pol_${padded(at % POLICIES)}`;
export const assetId = (at: number): string => `ast_${padded(Math.floor(at / FINDINGS_OF_ASSET))}`;

/** The nth stored finding, one second newer than the one before. None changes with time. */
export function sampleFinding(at: number, size: number, by: string, newest: number): StoredRecord {
  const status = pick(STATUSES, at * 7);
  const severity = pick(SEVERITIES, Math.floor(at / 3));
  const policy = policyId(at);
  const asset = assetId(at);
  const digest = createHash("sha256").update(`finding ${at}`).digest("hex");
  const made = new Date(newest - (size - at) * 1_000).toISOString();
  const isLive = status !== "resolved" && status !== "closed";
  const isRare = at % Math.ceil(size / RARE_FINDINGS) === Math.floor(size / RARE_FINDINGS / 2);
  return {
    id: `fnd_${padded(at)}`,
    version: 1,
    status,
    createdAt: made,
    updatedAt: made,
    createdBy: by,
    updatedBy: by,
    fingerprint: digest,
    policyId: policy,
    policyKey: `policy-${at % POLICIES}`,
    policyRevision: 1,
    ruleKey: `rule-${at % 4}`,
    assetId: asset,
    assetName: `assistant ${Math.floor(at / FINDINGS_OF_ASSET)}`,
    locus: "",
    title: `An owner is missing${isRare ? ` in ${RARE_WORD}` : ""}`,
    message: `Nobody of team ${at % 211} answers for assistant ${Math.floor(at / FINDINGS_OF_ASSET)}.`,
    remediation: "Name an owner.",
    category: "ownership",
    severity,
    raised: false,
    severityOverride: null,
    effectiveSeverity: severity,
    controls: ["iso-42001:A.3.2"],
    gate: at % 11 === 0,
    detection: isLive ? "present" : "absent",
    workflow: status === "acknowledged" || status === "in_progress" ? status : "new",
    assignee: null,
    exemptionId: null,
    covers: [],
    dismissal: null,
    dismissalRequest: null,
    firstSeenAt: made,
    lastSeenAt: made,
    resolvedAt: status === "resolved" ? made : null,
    episodes: [{ openedAt: made, resolvedAt: status === "resolved" ? made : null }],
    episodeCount: 1,
    regressionCount: 0,
    occurrences: 1,
    regressed: false,
    verifiedFix: false,
    stale: at % 101 === 0,
    staleSince: null,
    dueAt: isLive ? new Date(newest + (1 + (at % 90)) * DAY).toISOString() : null,
    slaBreached: false,
    slaBreachedAt: null,
    nextChangeAt: null,
    evidence: { snapshotDigest: digest, digest, values: { "asset.owner": null } },
    ticketRef: null,
    closedReason: status === "closed" ? "out_of_scope" : null,
    reevaluationRequestedAt: null,
  } as StoredRecord;
}

function padded(at: number): string {
  return String(at).padStart(26, "0");
}

function pick<T>(from: readonly T[], at: number): T {
  return from[at % from.length] as T;
}
