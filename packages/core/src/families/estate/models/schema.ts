import { foreign, listed } from "#kernel/records/authority.js";
import { defineCollection } from "#kernel/records/collection.js";
import { statesOf } from "#kernel/records/machine.js";
import { StartTime } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { Label, Sha256 } from "../assets/fields.js";
import { LIFECYCLE } from "../assets/lifecycle/lifecycle-states.js";
import { joined, recordText } from "../records/declare/columns.js";
import { joinedShape } from "../records/declare/kind.js";
import { JsonObject, Labels } from "../records/fields.js";
import { providerDueAt, providerStatus } from "./machine.js";

export const MODALITIES = ["text", "image", "audio", "video", "embedding", "other"] as const;
export const HOSTINGS = ["saas", "self_hosted", "embedded"] as const;

const CARD_BYTES = 32_768;

const ModelCard = z.strictObject({
  considerations: JsonObject(CARD_BYTES).optional().meta({ description: "Uses, limits and risks." }),
  quantitativeAnalysis: JsonObject(CARD_BYTES)
    .optional()
    .meta({ description: "How the model performs by measurement." }),
  modelParameters: JsonObject(CARD_BYTES).optional().meta({ description: "Architecture and training." }),
});

const Evaluation = z.strictObject({
  name: Label.meta({ description: "Name of the test." }),
  score: z.number().meta({ description: "The score that was measured." }),
  at: StartTime.meta({ description: "When it was made." }),
  evidenceId: foreign(
    Label.nullable().default(null).meta({ description: "Where the evidence is kept, in your own words." }),
  ),
});

/** What a caller may set, at the top level of the body or in `configuration`. */
export const ModelFields = z.object({
  modelId: listed(Label.nullable().meta({ description: "Its name at the provider.", example: "gpt-5-mini" })),
  modelVersion: listed(Label.nullable().meta({ description: "Revision or hash." })),
  family: listed(Label.nullable().meta({ description: "The family of models." })),
  modality: listed(
    z.array(z.enum(MODALITIES)).max(MODALITIES.length).meta({ description: "What it takes and gives." }),
  ),
  hosting: listed(z.enum(HOSTINGS).nullable().meta({ description: "Where it is run." })),
  region: listed(Label.nullable().meta({ description: "Where its data is processed." })),
  license: listed(Label.nullable().meta({ description: "SPDX identifier, or words." })),
  providerRetirementAt: listed(
    StartTime.nullable().meta({ description: "When the provider takes it out of service." }),
  ),
  modelCard: listed(ModelCard.nullable().meta({ description: "In the terms of CycloneDX." })),
  aliases: Labels(20).meta({
    description:
      "Names under which callers ask for it; each names one model of the tenant. Says nothing of its lifecycle.",
  }),
  evaluations: z.array(Evaluation).max(100).meta({ description: "Results of tests." }),
  artifactHashes: listed(z.array(Sha256).max(100).meta({ description: "SHA-256 of its files." })),
});
export type ModelFields = z.output<typeof ModelFields>;

const ReadOnlyFields = z.object({
  providerStatus: z.enum(statesOf(providerStatus)).meta({ description: "What its provider does with it by now." }),
});
export const MODEL_READ_ONLY = Object.keys(ReadOnlyFields.shape);

export const MODEL_DEFAULTS: ModelFields & z.output<typeof ReadOnlyFields> = {
  modelId: null,
  modelVersion: null,
  family: null,
  modality: [],
  hosting: null,
  region: null,
  license: null,
  providerRetirementAt: null,
  modelCard: null,
  aliases: [],
  evaluations: [],
  artifactHashes: [],
  providerStatus: "in_service",
};

/** A model as it is stored and served. */
export const Model = z
  .object({ ...joinedShape(z.enum(LIFECYCLE)), ...ModelFields.shape, ...ReadOnlyFields.shape })
  .meta({ id: "AiModel" });
export type Model = z.output<typeof Model>;

/** Models: one per asset of type `model`. */
export const models = defineCollection<Model>({
  name: "ai_models",
  prefix: "mdl",
  schema: Model,
  resource: { type: "ai_model", event: "model", path: "/api/v1/ai/models" },
  related: ({ assetId }) => [assetId],
  otherSide: ({ assetId }) => assetId,
  machines: { providerStatus },
  fields: {
    ...joined.fields,
    modelId: { type: "text" },
    aliases: { type: "texts" },
    modality: { type: "texts" },
    hosting: { type: "text" },
    providerStatus: { type: "text" },
    providerRetirementAt: { type: "time" },
    /** When its provider's status changes next. `null` for never. */
    providerDueAt: { type: "time", of: providerDueAt },
  },
  unique: { asset: ["assetId"] },
  indexes: [
    ...joined.indexes,
    { where: ["modelId"] },
    { where: [], by: "providerDueAt", partial: true },
    { where: [], by: "providerRetirementAt" },
  ],
  filters: {
    status: { values: LIFECYCLE },
    providerStatus: { values: statesOf(providerStatus), changesAt: "providerDueAt" },
    hosting: { values: HOSTINGS },
    modelId: { description: "Its name at the provider." },
    alias: { field: "aliases", description: "A name under which callers ask for it." },
    modality: { values: MODALITIES },
    ...joined.filters,
  },
  orders: { ...joined.orders, providerRetirementAt: "providerRetirementAt" },
  counted: ["status", "governanceState"],
  search: (model) => recordText(model, model.modelId, model.family, ...model.aliases),
  retain: true,
  ...joined.approval,
  timeTransition: {
    by: "providerDueAt",
    machine: providerStatus,
    event: ({ providerStatus: state }) => (state === "in_service" ? "approach" : "pass"),
    reason: "The moment that the provider has named is near or has come.",
    patch: () => ({}),
  },
});
