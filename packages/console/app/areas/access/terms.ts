import type { components } from "../../api/client.js";
import { access } from "../../texts/en/access.js";
import type { Tone } from "../../ui/status-badge.js";

export type Certification = components["schemas"]["AccessCertification"];
export type Item = components["schemas"]["AccessCertificationItem"];
export type Assignment = components["schemas"]["AccessAssignment"];
export type NamedAssignment = components["schemas"]["NamedAccessAssignment"];
export type Unused = components["schemas"]["UnusedAccess"];
export type Usage = components["schemas"]["AccessAssignmentUsage"];
export type Request = components["schemas"]["AccessRequest"];
export type Drift = components["schemas"]["AccessDrift"];

export const CERTIFICATION_STATUSES = Object.keys(access.states) as readonly Certification["status"][];
export const ITEM_STATUSES = Object.keys(access.itemStates) as readonly Item["status"][];
export const ASSIGNMENT_STATUSES = Object.keys(access.assignmentStates) as readonly Assignment["status"][];
export const REQUEST_STATUSES = Object.keys(access.requestStates) as readonly Request["status"][];
export const DRIFT_STATUSES = Object.keys(access.driftStates) as readonly Drift["status"][];
export const DRIFT_KINDS = Object.keys(access.driftKinds) as readonly Drift["kind"][];

export const CERTIFICATION_TONES: Readonly<Record<Certification["status"], Tone>> = {
  preparing: "busy",
  scheduled: "neutral",
  active: "warning",
  closing: "busy",
  awaiting_confirmation: "warning",
  remediating: "busy",
  completed: "good",
  not_applicable: "neutral",
  cancelled: "neutral",
};

/** Access that is used is as it should be; what nobody can tell is neither. */
export const USAGE_TONES: Readonly<Record<Item["snapshot"]["usageState"], Tone>> = {
  used: "good",
  unused: "warning",
  unknown: "unknown",
};

export const ASSIGNMENT_TONES: Readonly<Record<Assignment["status"], Tone>> = {
  pending: "busy",
  active: "good",
  revoking: "busy",
  revoke_failed: "bad",
  attested: "warning",
  revoked: "neutral",
  expired: "neutral",
  orphaned: "warning",
  failed: "bad",
};

export const REQUEST_TONES: Readonly<Record<Request["status"], Tone>> = {
  submitted: "busy",
  pending_approval: "busy",
  approved: "good",
  scheduled: "good",
  provisioning: "busy",
  provisioned: "good",
  partially_provisioned: "warning",
  provision_failed: "bad",
  rejected: "bad",
  cancelled: "neutral",
  expired: "neutral",
};

export const DRIFT_TONES: Readonly<Record<Drift["status"], Tone>> = {
  suspected: "unknown",
  open: "bad",
  repairing: "busy",
  accepted: "warning",
  suppressed: "warning",
  resolved: "good",
  dismissed: "neutral",
};

/** A request that nothing was begun of, or that failed in the target: it can be taken back. */
const OVER: ReadonlySet<Request["status"]> = new Set([
  "provisioning",
  "provisioned",
  "rejected",
  "cancelled",
  "expired",
]);
export const canBeCancelled = ({ status }: Request) => !OVER.has(status);

const ENDED: ReadonlySet<Assignment["status"]> = new Set(["revoked", "expired", "failed", "orphaned", "revoking"]);
export const canBeRevoked = ({ status }: Pick<Assignment, "status">) => !ENDED.has(status);
