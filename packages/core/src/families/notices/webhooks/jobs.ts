import type { Environment } from "#kernel/config/environment.js";
import { type Due, dueBy } from "#kernel/operation/dues.js";
import { webhookTenants } from "./delivery/find-tenants.js";
import { webhookQueues } from "./schema.js";

/** When webhooks have something to send: after each event of a tenant that has any, and when they have rested. */
export const webhookDues: readonly Due[] = [
  dueBy(webhookQueues, "restsUntil"),
  { watchesEvents: (env, tenantId) => tenantId === undefined || env.use(webhookTenants).mayHaveAny(tenantId) },
];

/** Sends what waits for the webhooks of a tenant. Returns how many messages were taken. */
export const runWebhookJobs = (env: Environment, tenantId: string): Promise<number> =>
  env.use(webhookTenants).send(tenantId);
