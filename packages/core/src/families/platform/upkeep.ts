import type { Environment } from "../../kernel/environment.js";
import { idempotencyKeys } from "../../kernel/idempotency.js";
import { deliverDue } from "../../kernel/outbox.js";

const BATCH = 500;

/** Forgets kept answers past their day and sends deliveries that are due; returns how many of both. */
export async function dropExpiredAnswers(env: Environment, tenantId: string, now: string): Promise<number> {
  const dropped = await env.store.transaction(tenantId, async (tx) => {
    const { rows } = await tx.find(idempotencyKeys, {
      order: { by: "expiresAt", direction: "asc" },
      range: { before: now },
      size: BATCH,
    });
    for (const row of rows) await tx.remove(idempotencyKeys, row.value, now);
    return rows.length;
  });
  return dropped + (await deliverDue(env, tenantId));
}
