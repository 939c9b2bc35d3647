import { defineResource } from "#families/resource.js";
import { READERS } from "#families/roles.js";
import { extend } from "#kernel/config/extension.js";
import { recordKinds } from "../records/declare/kinds.js";
import { followRecords } from "../records/follow/links.js";
import { providerStatus } from "./machine.js";
import { modelAliases } from "./model-aliases.js";
import { modelOperations } from "./operations.js";
import { modelKind } from "./record-kind.js";
import { models } from "./schema.js";

/** Models and their aliases. */
export const modelsResource = defineResource({
  collections: [models, modelAliases],
  machines: [providerStatus],
  operations: [
    modelOperations.list,
    modelOperations.create,
    modelOperations.read,
    modelOperations.replace,
    modelOperations.remove,
  ],
  permissions: {
    "ai-model:read": { lets: "See AI models", heldBy: [...READERS, "member"] },
    "ai-model:write": { lets: "Register and change AI models", heldBy: ["operator", "member"] },
    "ai-model:delete": { lets: "Delete AI models and their assets", heldBy: ["operator"] },
  },
  follows: [followRecords(modelKind)],
  extends: [extend(recordKinds, modelKind)],
});
