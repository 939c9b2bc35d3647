import type { components } from "../../api/client.js";
import { inbox } from "../../texts/en/inbox.js";
import type { Tone } from "../../ui/status-badge.js";

export type Review = components["schemas"]["Review"];
export type People = components["schemas"]["ReviewPeople"];

export const REVIEW_KINDS = Object.keys(inbox.kinds) as readonly Review["kind"][];

export const TONES: Readonly<Record<Review["status"], Tone>> = {
  waiting: "busy",
  overdue: "warning",
  lapsed: "neutral",
};
