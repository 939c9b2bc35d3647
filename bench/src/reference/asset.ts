import type { IdSource } from "@reeve/core";
import { ulidSource } from "@reeve/core/testing";
import { z } from "zod";

const Text = z.string().max(2_000);
const Label = z.string().min(1).max(200);
const Time = z.iso.datetime({ offset: true }).nullable();
const AnyObject = z.record(z.string(), z.unknown());
const Party = z.object({
  type: z.enum(["user", "external", "team", "service"]).default("user"),
  id: Label,
  name: Label.optional(),
});

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

/** The fields of a new asset that a caller may set. */
export const NewAsset = z.object({
  name: z.string().trim().min(1).max(200),
  description: Text.default(""),
  assetType: z.enum(ASSET_TYPES).default("other"),
  provider: z.string().trim().max(200).default(""),
  environment: z.enum(["development", "test", "staging", "production", "unknown"]).default("unknown"),
  owner: Party.nullable().default(null),
  sponsor: Party.nullable().default(null),
  team: Party.nullable().default(null),
  riskTier: z.enum(["minimal", "limited", "high", "prohibited", "unclassified"]).default("unclassified"),
  dataClassification: z.enum(["public", "internal", "confidential", "restricted", "unknown"]).default("unknown"),
  purpose: Text.default(""),
  autonomy: z.enum(["assistive", "supervised", "autonomous"]).default("assistive"),
  externalRef: z.object({ source: Label.optional(), id: Label, url: z.url().optional() }).nullable().default(null),
  labels: z.record(Label, z.string().max(500)).default({}),
  reviewDueAt: Time.default(null),
  metadata: AnyObject.default({}),
});
type NewAsset = z.output<typeof NewAsset>;

/** An asset as stored and served. */
export interface Asset extends NewAsset {
  readonly id: string;
  readonly status: string;
  readonly version: number;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly updatedAt: string;
  readonly updatedBy: string;
  readonly governanceState: string;
  readonly source: string;
  readonly evidence: readonly unknown[];
  readonly relations: readonly unknown[];
  readonly firstSeenAt: string | null;
  readonly lastSeenAt: string | null;
  readonly baselineAt: null;
  readonly riskScore: number;
  readonly riskFactors: readonly { readonly key: string; readonly points: number }[];
  readonly approvedUntil: string | null;
  readonly reviewUntil: null;
  readonly conditions: readonly unknown[];
  readonly decision: null;
  readonly priorGovernanceState: string | null;
  readonly requestedBy: string | null;
  readonly classified: null;
  readonly involved: { readonly ids: readonly string[]; readonly beyond: number };
  readonly relatedParty: boolean;
  readonly changedInReview: boolean;
  readonly openFindings: null;
  readonly postureScore: null;
  readonly postureScoredAt: null;
  readonly editVersion: number;
  readonly record: null;
  readonly configuration: Readonly<Record<string, unknown>>;
  readonly attributes: Readonly<Record<string, unknown>>;
}

const ids: IdSource = ulidSource();

export function newId(prefix: string, at: number): string {
  return `${prefix}_${ids.next(at)}`;
}

/** The record of a new asset. */
export function assetOf(given: NewAsset, by: string, at: number): Asset {
  const now = new Date(at).toISOString();
  return {
    id: newId("ast", at),
    status: "registered",
    version: 1,
    createdAt: now,
    createdBy: by,
    updatedAt: now,
    updatedBy: by,
    governanceState: "unreviewed",
    source: "manual",
    evidence: [],
    relations: [],
    firstSeenAt: null,
    lastSeenAt: null,
    approvedUntil: null,
    reviewUntil: null,
    conditions: [],
    decision: null,
    priorGovernanceState: null,
    requestedBy: null,
    classified: null,
    involved: { ids: [by], beyond: 0 },
    relatedParty: false,
    changedInReview: false,
    openFindings: null,
    postureScore: null,
    postureScoredAt: null,
    baselineAt: null,
    editVersion: 1,
    record: null,
    configuration: {},
    attributes: {},
    ...given,
    ...riskOf(given),
  };
}

const TIER = { prohibited: 60, high: 35, limited: 15, unclassified: 10, minimal: 0 };
const DATA = { restricted: 20, confidential: 12, unknown: 5, internal: 3, public: 0 };
const AUTONOMY = { autonomous: 15, supervised: 7, assistive: 0 };
const ENVIRONMENT = { production: 10, staging: 4, unknown: 4, test: 1, development: 0 };

function riskOf(asset: NewAsset): Pick<Asset, "riskScore" | "riskFactors"> {
  const riskFactors = [
    { key: `riskTier:${asset.riskTier}`, points: TIER[asset.riskTier] },
    { key: `dataClassification:${asset.dataClassification}`, points: DATA[asset.dataClassification] },
    { key: `autonomy:${asset.autonomy}`, points: AUTONOMY[asset.autonomy] },
    { key: `environment:${asset.environment}`, points: ENVIRONMENT[asset.environment] },
    { key: "owner:missing", points: asset.owner ? 0 : 8 },
    { key: "sponsor:missing", points: asset.sponsor ? 0 : 4 },
  ].filter(({ points }) => points > 0);
  const sum = riskFactors.reduce((total, { points }) => total + points, 0);
  return { riskScore: Math.min(100, sum), riskFactors };
}

/** The transitions that need only the permission. */
const MOVES: Readonly<Record<string, readonly string[]>> = {
  registered: ["development", "validation"],
  development: ["validation"],
  validation: ["development"],
};

export const Move = z.strictObject({ status: z.string().max(64), reason: Text.optional() });

export function mayMove(from: string, to: string): boolean {
  return MOVES[from]?.includes(to) ?? false;
}

/** The asset at this moment, for an answer. */
export function dtoOf(asset: Asset, now: string): Asset {
  const approved = asset.governanceState === "approved" || asset.governanceState === "conditionally_approved";
  const expired = approved && asset.approvedUntil !== null && asset.approvedUntil <= now;
  return expired ? { ...asset, governanceState: "expired" } : asset;
}

/** The folded text for searches. */
export function searchTextOf(asset: Asset): string {
  const parts = [asset.name, asset.description, asset.externalRef?.id ?? ""];
  for (const [key, value] of Object.entries(asset.labels)) parts.push(`${key}=${value}`);
  for (const [key, value] of Object.entries(asset.metadata)) parts.push(key, String(value));
  return parts.filter(Boolean).join("\n").normalize("NFKC").toLowerCase();
}

/** The counters that include the asset, as field and value. */
export function countedOf(asset: Asset): readonly (readonly [field: string, value: string])[] {
  return [
    ["", ""],
    ["assetType", asset.assetType],
    ["environment", asset.environment],
    ["governanceState", asset.governanceState],
    ["provider", asset.provider],
    ["status", asset.status],
    ["riskTier", asset.riskTier],
    ["owned", String(asset.owner !== null)],
  ];
}

/** A key that is equal for possible duplicates: type and name, folded to letters and digits. */
export function likenessOf({ assetType, name }: Pick<Asset, "assetType" | "name">): string {
  const words = name
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [name];
  return `${assetType} ${words.join("").slice(0, 200)}`;
}
