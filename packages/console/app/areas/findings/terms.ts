import type { components } from "../../api/client.js";
import { findings } from "../../texts/en/findings.js";
import type { Tone } from "../../ui/status-badge.js";

export type Finding = components["schemas"]["Finding"];
export type Severity = Finding["effectiveSeverity"];
export type FindingStatus = Finding["status"];
export type Action = NonNullable<components["schemas"]["FindingReviewRequest"]["action"]>;

export const SEVERITIES = Object.keys(findings.severities) as readonly Severity[];
export const STATUSES = Object.keys(findings.states) as readonly FindingStatus[];

export const SEVERITY_TONES: Readonly<Record<Severity, Tone>> = {
  critical: "bad",
  high: "bad",
  medium: "warning",
  low: "neutral",
  info: "neutral",
};

export const STATUS_TONES: Readonly<Record<FindingStatus, Tone>> = {
  open: "warning",
  acknowledged: "busy",
  in_progress: "busy",
  fix_claimed: "busy",
  exempted: "neutral",
  dismissed: "neutral",
  resolved: "good",
  closed: "neutral",
};

/** What each action takes, and the permission for it. The server says from which states it goes. */
export const ACTIONS: Readonly<
  Partial<Record<Action, { readonly permission: string; readonly from: readonly FindingStatus[] }>>
> = {
  acknowledge: { permission: "ai-finding:review", from: ["open"] },
  start_remediation: { permission: "ai-finding:review", from: ["open", "acknowledged", "fix_claimed"] },
  claim_fixed: { permission: "ai-finding:review", from: ["open", "acknowledged", "in_progress"] },
  reopen: { permission: "ai-finding:review", from: ["acknowledged", "in_progress", "fix_claimed", "dismissed"] },
  dismiss: {
    permission: "ai-finding:dismiss",
    from: ["open", "acknowledged", "in_progress", "fix_claimed", "exempted"],
  },
};
