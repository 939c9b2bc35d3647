import { recordOperations } from "../records/operations.js";
import { modelKind } from "./record-kind.js";
import { Model } from "./schema.js";

export const modelOperations = recordOperations({
  kind: modelKind,
  schema: Model,
  id: "aiModels",
  agents: "propose",
  tag: "AI Models",
  path: "/api/v1/ai/models",
  one: "AI model",
  many: "AI models",
  searched: "name, description, provider's name, family or aliases",
  example: { name: "Small model", provider: "acme", modelId: "small-1", modality: ["text"], hosting: "saas" },
});
