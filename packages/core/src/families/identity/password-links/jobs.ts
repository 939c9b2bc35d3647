import type { Environment } from "#kernel/config/environment.js";
import { forEachDue } from "#kernel/operation/due-records.js";
import { passwordLinks } from "./schema.js";
import { mailDispatcher } from "./send/mail-dispatcher.js";

/** Sends pending mails and deletes expired links. Returns how many of both. */
export async function runPasswordLinkJobs(env: Environment, tenantId: string, now: string): Promise<number> {
  const sent = await env.use(mailDispatcher).deliver(tenantId);
  const dropped = await forEachDue(env, passwordLinks, { by: "expiresAt", before: now }, tenantId, (ctx, link) =>
    ctx.remove(passwordLinks, link),
  );
  return sent + dropped;
}
