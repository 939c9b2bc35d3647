import { z } from "zod";
import { EndTime, StartTime, Time } from "../../../kernel/records/record.js";
import {
  ASSET_TYPES,
  AUTONOMY_LEVELS,
  DATA_CLASSIFICATIONS,
  ENVIRONMENTS,
  RELATION_TYPES,
  RISK_TIERS,
  SOURCES,
} from "./terms/vocabulary.js";

export const Text = z.string().max(2_000);
export const Label = z.string().min(1).max(200);

/** A person, team or machine that is responsible for something. */
export const Party = z.object({
  type: z.enum(["user", "team", "service"]).default("user"),
  id: Label,
  name: Label.optional(),
});

const Relation = z.object({ type: z.enum(RELATION_TYPES), targetId: Label });
const Evidence = z.object({
  source: Label,
  detail: Text.optional(),
  confidence: z.number().min(0).max(1).optional(),
  at: StartTime,
});
const ExternalRef = z.object({ source: Label.optional(), id: Label, url: z.url().max(2_000).optional() });

/** What a caller may set, at the top level of the body or in `configuration`. */
export const AssetFields = z.object({
  description: Text,
  assetType: z.enum(ASSET_TYPES),
  provider: z.string().trim().max(200),
  environment: z.enum(ENVIRONMENTS),
  owner: Party.nullable(),
  sponsor: Party.nullable(),
  team: Party.nullable(),
  riskTier: z.enum(RISK_TIERS),
  dataClassification: z.enum(DATA_CLASSIFICATIONS),
  purpose: Text,
  autonomy: z.enum(AUTONOMY_LEVELS),
  source: z.enum(SOURCES),
  evidence: z.array(Evidence).max(50),
  externalRef: ExternalRef.nullable(),
  labels: z.record(Label, z.string().max(500)),
  relations: z.array(Relation).max(200),
  reviewDueAt: EndTime.nullable(),
  firstSeenAt: Time.nullable(),
  lastSeenAt: Time.nullable(),
});
export type AssetFields = z.output<typeof AssetFields>;

export const ASSET_DEFAULTS: AssetFields = {
  description: "",
  assetType: "other",
  provider: "",
  environment: "unknown",
  owner: null,
  sponsor: null,
  team: null,
  riskTier: "unclassified",
  dataClassification: "unknown",
  purpose: "",
  autonomy: "assistive",
  source: "manual",
  evidence: [],
  externalRef: null,
  labels: {},
  relations: [],
  reviewDueAt: null,
  firstSeenAt: null,
  lastSeenAt: null,
};
