import type { components } from "../../api/client.js";
import { estate } from "../../texts/en/estate.js";
import type { Tone } from "../../ui/status-badge.js";

export type Asset = components["schemas"]["AiAsset"];

const keysOf = <const K extends string>(words: Readonly<Record<K, string>>) =>
  Object.keys(words) as unknown as readonly K[];

export const TYPES = keysOf(estate.types);
export const GOVERNANCE = keysOf(estate.governance);
export const LIFECYCLE = keysOf(estate.lifecycle);
export const ENVIRONMENTS = keysOf(estate.environments);
export const RISKS = keysOf(estate.risks);

export const GOVERNANCE_TONES: Readonly<Record<Asset["governanceState"], Tone>> = {
  unreviewed: "unknown",
  under_review: "busy",
  approved: "good",
  conditionally_approved: "warning",
  rejected: "bad",
  suspended: "bad",
  expired: "warning",
};

export const RISK_TONES: Readonly<Record<Asset["riskTier"], Tone>> = {
  minimal: "neutral",
  limited: "neutral",
  high: "warning",
  prohibited: "bad",
  unclassified: "unknown",
};

export const DECISION_TONES = { allow: "good", warn: "warning", deny: "bad" } as const;
