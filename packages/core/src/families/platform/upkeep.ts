import type { Environment } from "../../kernel/environment.js";
import { idempotencyKeys } from "../../kernel/idempotency.js";
import { deliverDue } from "../../kernel/outbox.js";
import { forEachDue } from "../../kernel/upkeep.js";

/** Forgets kept answers past their day and sends deliveries that are due; returns how many of both. */
export async function dropExpiredAnswers(env: Environment, tenantId: string, now: string): Promise<number> {
  const expired = { by: "expiresAt", before: now };
  const dropped = await forEachDue(env, idempotencyKeys, expired, tenantId, (ctx, kept) =>
    ctx.tx.remove(idempotencyKeys, kept, now),
  );
  return dropped + (await deliverDue(env, tenantId));
}
