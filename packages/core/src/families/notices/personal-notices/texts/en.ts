import type { NoticeKind } from "../fields.js";

const kinds: Readonly<Record<NoticeKind, string>> = {
  waiting: "Waits for you",
  overdue: "Overdue",
  escalated: "Waits for long",
  asset_found: "Found",
  asset_suspended: "Suspended",
  approval_ending: "The approval ends soon",
  critical_finding: "Critical finding",
  access_drift: "Access differs from what was granted",
  server_changed: "The MCP server offers something new",
  halt: "Emergency stop",
};

const matters: Readonly<Record<string, string>> = {
  asset_review: "Approval of an asset",
  condition: "Condition of an approval",
  tool_review: "Tool to be reviewed",
  mcp_manifest: "MCP server to be reviewed",
  finding_dismissal: "Second opinion on a finding",
  finding_severity: "Second opinion on a severity",
  exemption: "Exemption",
  action_approval: "Action to be approved",
  assessment: "Assessment",
  attestation: "Attestation of a control",
  halt_lift: "End of an emergency stop",
  policy_change: "Change of a policy",
  erasure: "Erasure of data",
  access_request: "Request for access",
  certification: "Access to be certified",
  certification_confirmation: "Revocations to be confirmed",
  access_drift: "Difference in access",
  stop_reason: "Reason that is wanted",
};

/** Every text of a notice that a person reads. A second language is a second catalogue of this type. */
export const en = {
  kinds,
  matters,
  several: (count: number, place: string) => `${count} notices of ${place}`,
  due: (moment: string) => `Due ${moment}`,
  more: (count: number) => `There are ${count} more.`,
  inbox: "Everything that waits for you:",
  why: (place: string) => `You get this mail because you have an account at ${place}.`,
  unsubscribe: "No more mails of this kind:",
  tested: "A test: notices are posted here.",
  leave: "Get no more of these mails?",
  confirm: "No more mails",
  left: "You get no more of these mails.",
  unsubscribeAll: "No more mails of these kinds:",
};

export type Catalogue = typeof en;
