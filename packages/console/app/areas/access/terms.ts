import type { components } from "../../api/client.js";
import { access } from "../../texts/en/access.js";
import type { Tone } from "../../ui/status-badge.js";

export type Certification = components["schemas"]["AccessCertification"];
export type Item = components["schemas"]["AccessCertificationItem"];

export const CERTIFICATION_STATUSES = Object.keys(access.states) as readonly Certification["status"][];
export const ITEM_STATUSES = Object.keys(access.itemStates) as readonly Item["status"][];

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
