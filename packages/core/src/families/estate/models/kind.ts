import { defineRecordKind } from "../records/kind.js";
import { MODEL_DEFAULTS, type Model, ModelFields, models } from "./schema.js";

/** Models as the typed records of assets of type `model`. */
export const modelKind = defineRecordKind<Model, ModelFields>({
  assetType: "model",
  collection: models,
  status: { of: ({ status }) => status },
  fields: ModelFields,
  defaults: MODEL_DEFAULTS,
  references: [],
  material: (before, after) =>
    (["modelId", "modelVersion", "hosting", "region", "artifactHashes"] as const).filter(
      (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
    ),
});
