import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

const AuthzenTask = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  requestedBy: z.string(),
  /** From then on nobody reads it. */
  expiresAt: Time,
  /** Whether it was asked for as a list of items. */
  bundled: z.boolean(),
  items: z.array(
    z.object({
      resource: z.object({ type: z.string(), id: z.string() }),
      action: z.object({ name: z.string() }),
      approvalId: z.string(),
      /** The decision that was asked about. */
      decisionId: z.string(),
    }),
  ),
});
export type AuthzenTask = z.output<typeof AuthzenTask>;

/** Access requests by AuthZEN's profile: each names the approvals that it waits for, and has no state of its own. */
export const authzenTasks = defineCollection<AuthzenTask>({
  name: "authzen_tasks",
  prefix: "arq",
  schema: AuthzenTask,
  resource: { type: "authzen_task", event: "authzen_task", path: "/access/v1/requests" },
  related: ({ items }) => items.map(({ approvalId }) => approvalId),
  fields: { expiresAt: { type: "time" } },
  indexes: [{ where: [], by: "expiresAt" }],
});
