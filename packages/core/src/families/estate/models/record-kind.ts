import { isSame } from "#kernel/records/is-same.js";
import { defineRecordKind } from "../records/declare/kind.js";
import { providerStatus, providerStatusAt } from "./machine.js";
import { alignAliases, prefetchAliases } from "./model-aliases.js";
import { MODEL_DEFAULTS, MODEL_READ_ONLY, type Model, ModelFields, models } from "./schema.js";

/** Models as the typed records of assets of type `model`. */
export const modelKind = defineRecordKind<Model, ModelFields>({
  assetType: "model",
  permission: "ai-model",
  capability: "ai_registry",
  collection: models,
  status: { of: ({ status }) => status },
  fields: ModelFields,
  defaults: MODEL_DEFAULTS,
  readOnly: MODEL_READ_ONLY,
  references: [],
  prefetch: (ctx, given) =>
    prefetchAliases(
      ctx,
      given.flatMap(({ aliases }) => aliases ?? []),
    ),
  follow: alignAliases,
  finalize(ctx, model) {
    const to = providerStatusAt(model.providerRetirementAt, ctx.now);
    const options = { triggeredBy: "policy", reason: "The provider's plans are others." } as const;
    return ctx.transition(models, providerStatus, model, { to }, options);
  },
  material: (before, after) =>
    (["modelId", "modelVersion", "hosting", "region", "artifactHashes"] as const).filter(
      (field) => !isSame(before[field], after[field]),
    ),
});
