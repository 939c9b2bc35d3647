import { ASSET_TYPES, type Asset, assetOf, NewAsset } from "./reference/asset.js";

/** A term in a handful of assets whatever their number, and one in a third of them. */
export const RARE_TERM = "zanzibar ledger";
export const COMMON_TERM = "assistant";

const RARE_ASSETS = 7;
const SUBJECTS = [
  "assistant",
  "claims triage",
  "contract summary",
  "fraud screening",
  "assistant for sales",
  "translation",
];
const PROVIDERS = ["openai", "anthropic", "mistral", "self-hosted", "azure", "bedrock"];
const ENVIRONMENTS = ["development", "test", "staging", "production"];
const TIERS = ["minimal", "limited", "high", "unclassified"];

/** The body of the nth create, always the same. */
export function sampleBody(at: number, rare = false): Record<string, unknown> {
  const pick = (from: readonly string[], step: number) => from[Math.floor(at / step) % from.length] as string;
  const subject = pick(SUBJECTS, 1);
  return {
    name: `${subject} ${at}`,
    description: `Handles ${subject} for region ${at % 37}${rare ? ` of the ${RARE_TERM}` : ""}; owned by team ${at % 211}.`,
    assetType: pick(ASSET_TYPES, 1),
    provider: pick(PROVIDERS, 5),
    environment: pick(ENVIRONMENTS, 3),
    owner: { type: "external", id: `person-${at % 997}`, name: `Person ${at % 997}` },
    riskTier: pick(TIERS, 7),
    dataClassification: "internal",
    purpose: "Shortens the way from a question to a decision.",
    labels: { team: `team-${at % 211}`, costCentre: `cc-${at % 53}` },
    metadata: { model: `model-${at % 17}`, contextWindow: 128_000, region: `region-${at % 37}` },
  };
}

/** Types without a typed record, so that a create writes the same rows as the hand-written one. */
export const PLAIN_TYPES: readonly string[] = ["dataset", "prompt", "application", "other"];

/** The body of a create that hand-written servers support as well. */
export function plainBody(at: number): Record<string, unknown> {
  return { ...sampleBody(at), assetType: PLAIN_TYPES[at % PLAIN_TYPES.length] };
}

/** The nth stored asset, one second newer than the one before. */
export function sampleAsset(at: number, size: number, by: string, newest: number): Asset {
  const rare = at % Math.ceil(size / RARE_ASSETS) === Math.floor(size / RARE_ASSETS / 2);
  return assetOf(NewAsset.parse(sampleBody(at, rare)), by, newest - (size - at) * 1_000);
}
