import { defineResource } from "#families/resource.js";
import { createInstanceRequest, deleteInstance, listInstances, patchInstance, readInstance } from "./operations.js";
import { finishRemovals } from "./remove-instance.js";

/** Operations that register, change and remove connected systems. */
export const registryResource = defineResource({
  operations: [listInstances, createInstanceRequest, readInstance, patchInstance, deleteInstance],
  tick: finishRemovals,
});
