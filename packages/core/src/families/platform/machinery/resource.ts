import { defineResource } from "#families/resource.js";
import { outbox } from "#kernel/events/outbox.js";
import { dataKeys } from "#kernel/operation/vault/data-keys.js";
import { idempotencyKeys } from "#kernel/pipeline/idempotency.js";
import { dueMarks } from "./schema.js";

/** Records of the machinery below the areas, and when a tenant has due work. */
export const machineryResource = defineResource({
  collections: [idempotencyKeys, outbox, dataKeys, dueMarks],
});
