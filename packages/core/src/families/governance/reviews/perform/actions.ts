import { FINDING_STATUSES, type FindingStatus } from "#families/findings/index.js";

interface ReviewAction {
  readonly description: string;
  readonly allowedFrom: readonly FindingStatus[];
  /** Required properties. */
  readonly requires: readonly string[];
  readonly permission: string;
  /** The owner of the asset needs no permission for it. */
  readonly ownerMay?: true;
}

const OPEN = ["open", "acknowledged", "in_progress", "fix_claimed"] as const;
const STANDING = [...OPEN, "exempted"] as const;

/** The review actions on a finding. */
export const REVIEW_ACTION_NAMES = [
  "acknowledge",
  "assign",
  "start_remediation",
  "claim_fixed",
  "dismiss",
  "reopen",
  "override_severity",
  "request_exemption",
  "approve_exemption",
  "reject_exemption",
  "comment",
  "link_ticket",
] as const;
export type ReviewActionName = (typeof REVIEW_ACTION_NAMES)[number];

/**
 * Each review action with its allowed statuses, required properties and permission. The code, the enums endpoint and
 * the guide use this table.
 */
export const REVIEW_ACTIONS: Readonly<Record<ReviewActionName, ReviewAction>> = {
  acknowledge: {
    description: "Says that somebody has seen it.",
    allowedFrom: ["open"],
    requires: [],
    permission: "ai-finding:review",
    ownerMay: true,
  },
  assign: {
    description: "Gives it to somebody, or with `null` to nobody.",
    allowedFrom: STANDING,
    requires: ["assignee"],
    permission: "ai-finding:review",
  },
  start_remediation: {
    description: "Says that it is being put right.",
    allowedFrom: ["open", "acknowledged", "fix_claimed"],
    requires: [],
    permission: "ai-finding:review",
    ownerMay: true,
  },
  claim_fixed: {
    description: "Says that it has been put right, and asks for an evaluation, which alone resolves it.",
    allowedFrom: ["open", "acknowledged", "in_progress"],
    requires: [],
    permission: "ai-finding:review",
    ownerMay: true,
  },
  dismiss: {
    description: "Says that it is none. What is high or critical needs a four-eyes approver to say the same.",
    allowedFrom: STANDING,
    requires: ["reasonCode", "reason"],
    permission: "ai-finding:dismiss",
  },
  reopen: {
    description: "Takes back what was said about it.",
    allowedFrom: ["acknowledged", "in_progress", "fix_claimed", "dismissed"],
    requires: ["reason"],
    permission: "ai-finding:review",
  },
  override_severity: {
    description: "Puts another severity in place of what evaluations say, or with `null` takes that back.",
    allowedFrom: [...STANDING, "dismissed"],
    requires: ["severity", "reason"],
    permission: "ai-finding:dismiss",
  },
  request_exemption: {
    description: "Asks for an exemption of this finding.",
    allowedFrom: STANDING,
    requires: ["reason"],
    permission: "ai-exemption:request",
    ownerMay: true,
  },
  approve_exemption: {
    description: "Approves an exemption that somebody else has asked for here.",
    allowedFrom: STANDING,
    requires: [],
    permission: "ai-exemption:approve",
  },
  reject_exemption: {
    description: "Rejects an exemption that was asked for here.",
    allowedFrom: STANDING,
    requires: ["reason"],
    permission: "ai-exemption:approve",
  },
  comment: {
    description: "Says something about it.",
    allowedFrom: FINDING_STATUSES,
    requires: ["comment"],
    permission: "ai-finding:review",
    ownerMay: true,
  },
  link_ticket: {
    description: "Names the ticket that it is worked on under, or with `null` none.",
    allowedFrom: FINDING_STATUSES,
    requires: ["ticketRef"],
    permission: "ai-finding:review",
    ownerMay: true,
  },
};

/** The action of a body that names only the target status. */
export const ACTION_OF_STATUS: Readonly<Record<string, ReviewActionName>> = {
  open: "reopen",
  acknowledged: "acknowledge",
  in_progress: "start_remediation",
  fix_claimed: "claim_fixed",
  dismissed: "dismiss",
  exempted: "request_exemption",
};

/** The actions allowed from this status. */
export function actionsFrom(status: FindingStatus): ReviewActionName[] {
  return REVIEW_ACTION_NAMES.filter((name) => isAllowed(name, status));
}

export function isAllowed(name: ReviewActionName, status: FindingStatus): boolean {
  return REVIEW_ACTIONS[name].allowedFrom.includes(status);
}
