import { defineResource } from "#families/resource.js";
import { runWebhookJobs, webhookDues } from "./jobs.js";
import { webhookStatus } from "./machine.js";
import {
  create,
  disable,
  enable,
  list,
  listAttempts,
  patch,
  read,
  readDelivery,
  remove,
  replayEvents,
  rotateSecret,
  test,
} from "./operations.js";
import { webhookAttempts, webhookQueues, webhookSecrets, webhooks } from "./schema.js";

/** Addresses of other systems that events are posted to, signed and in order. */
export const webhooksResource = defineResource({
  collections: [webhooks, webhookQueues, webhookSecrets, webhookAttempts],
  machines: [webhookStatus],
  operations: [
    list,
    create,
    read,
    patch,
    remove,
    disable,
    enable,
    rotateSecret,
    test,
    replayEvents,
    readDelivery,
    listAttempts,
  ],
  permissions: {
    "webhook:read": { lets: "See webhooks and how far each is", heldBy: ["auditor"] },
    "webhook:write": { lets: "Have events posted to other systems", heldBy: [], peopleOnly: true },
  },
  dues: webhookDues,
  tick: runWebhookJobs,
  aged: [{ kind: "webhookAttempts", collection: webhookAttempts, by: "createdAt" }],
});
