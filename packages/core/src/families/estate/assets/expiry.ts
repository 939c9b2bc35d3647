import { Context } from "../../../kernel/context.js";
import type { Environment } from "../../../kernel/environment.js";
import { settle } from "../../../kernel/outbox.js";
import { systemPrincipal } from "../../../kernel/principal.js";
import { governanceState } from "./machine.js";
import { assets } from "./schema.js";

const BATCH = 100;

/** Writes down approvals that have run out, with their events; readers see them as expired before that. */
export async function expireApprovals(env: Environment, tenantId: string, now: string): Promise<number> {
  let expired = 0;
  let batch = 0;
  do {
    batch = await env.store.transaction(tenantId, async (tx) => {
      const request = { requestId: `tick_${now}`, nowMs: Date.parse(now), mountPath: "" };
      const ctx = new Context(env, request, systemPrincipal(tenantId), tx);
      const due = await tx.find(assets, {
        order: { by: "expiresAt", direction: "asc" },
        range: { before: now },
        size: BATCH,
      });
      for (const row of due.rows) {
        await ctx.transition(
          assets,
          governanceState,
          row.value,
          { event: "expire" },
          { triggeredBy: "sweeper", reason: "The approval has run out." },
        );
      }
      return due.rows.length;
    });
    expired += batch;
  } while (batch === BATCH);
  settle(env, tenantId, new Set([assets.name]));
  return expired;
}
