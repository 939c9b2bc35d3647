import { ASSET_TYPES, Asset, RELATION_TYPES } from "#families/estate/index.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { Named } from "../../names/schema.js";

const Standing = z.object({
  decision: z.enum(["allow", "warn", "deny"]).meta({ description: "Whether it may be used." }),
  reasons: z.array(z.string()).meta({ description: "What the decision rests on." }),
  message: z.string().nullable().meta({ description: "A denial in words." }),
});

const Used = z.object({
  relation: z.enum(RELATION_TYPES).meta({ description: "How the two relate." }),
  direction: z.enum(["outgoing", "incoming"]).meta({
    description: "`outgoing`: the asset has the relation to this one. `incoming`: this one has it to the asset.",
  }),
  id: z.string().meta({ description: "Id of the other asset." }),
  name: z.string().nullable().meta({ description: "`null` where there is no such asset." }),
  assetType: z.enum(ASSET_TYPES).nullable().meta({ description: "What kind of thing the other is." }),
});

const AssetOpening = z.object({
  id: z.string().meta({ description: "Id of the asset." }),
  name: z.string().nullable().meta({ description: "Its name; `null` where it is `hidden` or was removed." }),
  hidden: z.boolean().meta({ description: "Whether the caller may not see assets; all the rest is empty then." }),
  assetType: z.enum(ASSET_TYPES).nullable().meta({ description: "What kind of thing it is." }),
  uses: z.array(Used).meta({ description: "What it uses, and what it stands or falls with, up to 50." }),
  usesComplete: z.boolean().meta({ description: "Whether these are all." }),
  openFindings: Asset.shape.openFindings,
  now: Standing.nullable().meta({ description: "Whether it may be used now." }),
  approved: Standing.nullable().meta({
    description: "Whether it might be used once approved without conditions; `null` where its approval does not wait.",
  }),
  stops: z.int().min(0).nullable().meta({ description: "How many assets may be used no more when it may not." }),
  stopsComplete: z.boolean().meta({ description: "Whether these are all." }),
});
export type AssetOpening = z.output<typeof AssetOpening>;

/** What a person has to know first, before deciding. */
export const ReviewOpening = z
  .object({
    requestedBy: Named.nullable().meta({ description: "Who asked; `null`: nobody, it follows from what was found." }),
    requestedAt: Time.meta({ description: "When it was asked for, or found." }),
    reason: z.string().nullable().meta({ description: "Why it was asked for, in words." }),
    requestKnown: z.boolean().meta({
      description: "Whether what is said of the request is all; false where its event was erased or pruned.",
    }),
    asset: AssetOpening.nullable().meta({ description: "The asset that it is about." }),
  })
  .meta({ id: "ReviewOpening" });
