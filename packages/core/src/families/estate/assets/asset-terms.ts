/** Kinds of governed assets. */
export const ASSET_TYPES = [
  "agent",
  "tool",
  "model",
  "identity",
  "mcp_server",
  "dataset",
  "prompt",
  "application",
  "other",
] as const;
export type AssetType = (typeof ASSET_TYPES)[number];
export const ENVIRONMENTS = ["development", "test", "staging", "production", "unknown"] as const;
export const RISK_TIERS = ["minimal", "limited", "high", "prohibited", "unclassified"] as const;
export const DATA_CLASSIFICATIONS = ["public", "internal", "confidential", "restricted", "unknown"] as const;
export const AUTONOMY_LEVELS = ["assistive", "supervised", "autonomous"] as const;
export const SOURCES = ["manual", "connector", "discovery", "import"] as const;
export const RELATION_TYPES = ["uses", "exposes", "runs_as", "hosted_on", "derived_from", "delegates_to"] as const;
