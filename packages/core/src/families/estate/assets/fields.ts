import { anyOf, claim, foreign, office } from "#kernel/records/authority.js";
import { EndTime, StartTime, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import {
  ASSET_TYPES,
  AUTONOMY_LEVELS,
  DATA_CLASSIFICATIONS,
  ENVIRONMENTS,
  RELATION_TYPES,
  RISK_TIERS,
  SOURCES,
} from "./asset-terms.js";

export const Text = z.string().max(2_000);
export const Label = z.string().min(1).max(200);

/** A person, team or machine that is responsible for something. */
export const Party = z.object({
  type: z
    .enum(["user", "external", "team", "service"])
    .default("user")
    .meta({ description: "User, person outside of Reeve, team or machine." }),
  id: Label.meta({ description: "Of a user its id or e-mail address; else in your terms." }),
  name: Label.optional().meta({ description: "Name of the party." }),
});

const Relation = z.object({
  type: z.enum(RELATION_TYPES).meta({ description: "How it relates to the other." }),
  targetId: anyOf(
    Label.meta({ description: "Id of the other asset." }),
    "ai_asset",
    "A relation adds what may stop an asset, and opens nothing.",
  ),
});
const Evidence = z.object({
  source: Label.meta({ description: "What observed it." }),
  detail: Text.optional().meta({ description: "What was observed." }),
  confidence: z.number().min(0).max(1).optional().meta({ description: "Certainty from 0 to 1." }),
  at: StartTime.meta({ description: "When it was observed." }),
});
const ExternalRef = z.object({
  source: Label.optional().meta({ description: "The other system." }),
  id: Label.meta({ description: "Its id there." }),
  url: z
    .url({ protocol: /^https?$/, error: "An http or https URL." })
    .max(2_000)
    .optional()
    .meta({ description: "Its address there." }),
});

/** Who observes assets. Whoever registers one has not observed it. */
const OBSERVERS = ["connector", "import"] as const;
const OBSERVED = "Connectors, scans and imports say it.";

/** What a caller may set, at the top level of the body or in `configuration`. */
export const AssetFields = z.object({
  description: Text.meta({ description: "What it is." }),
  assetType: z.enum(ASSET_TYPES).meta({ description: "What kind of thing it is." }),
  provider: z.string().trim().max(200).meta({ description: "Who makes or runs it." }),
  environment: z.enum(ENVIRONMENTS).meta({ description: "Where it runs." }),
  owner: office(Party.nullable().meta({ description: "Who answers for it." })),
  sponsor: office(Party.nullable().meta({ description: "Who answers for the business side." })),
  team: foreign(Party.nullable().meta({ description: "Who works on it." })),
  riskTier: z.enum(RISK_TIERS).meta({ description: "Class of risk." }),
  dataClassification: z.enum(DATA_CLASSIFICATIONS).meta({ description: "The most sensitive data it sees." }),
  purpose: Text.meta({ description: "What it is used for." }),
  autonomy: z.enum(AUTONOMY_LEVELS).meta({ description: "How much it does without people." }),
  source: claim(z.enum(SOURCES).meta({ description: `How it came to be registered. ${OBSERVED}` }), ...OBSERVERS),
  evidence: claim(
    z
      .array(Evidence)
      .max(50)
      .meta({ description: `What shows that it exists. ${OBSERVED}` }),
    ...OBSERVERS,
  ),
  externalRef: foreign(ExternalRef.nullable().meta({ description: "Its id in another system." })),
  labels: z.record(Label, z.string().max(500)).meta({ description: "Labels of your own." }),
  relations: z.array(Relation).max(200).meta({ description: "What it relates to." }),
  reviewDueAt: EndTime.nullable().meta({ description: "When it is to be reviewed again." }),
  firstSeenAt: claim(Time.nullable().meta({ description: `When it was first observed. ${OBSERVED}` }), ...OBSERVERS),
  lastSeenAt: claim(
    Time.nullable().meta({ description: `When it was last observed or used; of use by the hour. ${OBSERVED}` }),
    ...OBSERVERS,
  ),
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

export const Sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/, "A SHA-256 in lower-case hexadecimal.")
  .meta({ description: "SHA-256, lower-case hexadecimal." });
