import type { components } from "../../api/client.js";
import { estate } from "../../texts/en/estate.js";
import { findings } from "../../texts/en/findings.js";
import { policies } from "../../texts/en/policies.js";
import type { Tone } from "../../ui/status-badge.js";

export type Policy = components["schemas"]["Policy"];
export type Rule = Policy["rules"][number];
export type PolicyStatus = Policy["status"];
export type Validation = components["schemas"]["PolicyValidation"];
export type BackTest = components["schemas"]["PolicyBackTest"];
export type AssetType = keyof typeof estate.types;

export const KINDS = Object.keys(policies.kinds) as readonly Policy["kind"][];
export const STATUSES = Object.keys(policies.statuses) as readonly PolicyStatus[];
export const SEVERITIES = Object.keys(findings.severities) as readonly Policy["severity"][];
export const ASSET_TYPES = Object.keys(estate.types) as readonly AssetType[];
export const ENVIRONMENTS = Object.keys(estate.environments) as readonly (keyof typeof estate.environments)[];
export const EFFECTS = Object.keys(policies.effects) as readonly (keyof typeof policies.effects)[];
export const EXPECTATIONS = Object.keys(policies.expectations) as readonly (keyof typeof policies.expectations)[];
export const POLICY_TABS = Object.keys(policies.tabs) as readonly (keyof typeof policies.tabs)[];

/** How far back a back-test goes. */
export const BACK_TEST_DAYS = [7, 30, 90] as const;

export const POLICY_TONES: Readonly<Record<PolicyStatus, Tone>> = {
  draft: "neutral",
  observe: "busy",
  active: "good",
  disabled: "warning",
  archived: "neutral",
};
