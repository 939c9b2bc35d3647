import { defineRecordKind } from "../records/kind.js";
import { foreseeAliases } from "./aliases.js";
import { MODEL_DEFAULTS, type Model, ModelFields, models } from "./schema.js";

/** Models as the typed records of assets of type `model`. */
export const modelKind = defineRecordKind<Model, ModelFields>({
  assetType: "model",
  collection: models,
  status: { of: ({ status }) => status },
  fields: ModelFields,
  defaults: MODEL_DEFAULTS,
  references: [],
  foresee: (ctx, given) =>
    foreseeAliases(
      ctx,
      given.flatMap(({ aliases }) => aliases ?? []),
    ),
  material: (before, after) =>
    (["modelId", "modelVersion", "hosting", "region", "artifactHashes"] as const).filter(
      (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
    ),
});
