import type { Environment } from "../../../kernel/environment.js";
import { forEachDue } from "../../../kernel/upkeep.js";
import { passwordLinks } from "./schema.js";
import { postman } from "./send/postman.js";

/** Mails the links that are owed, and forgets those whose time has passed; returns how many of both. */
export async function tendPasswordLinks(env: Environment, tenantId: string, now: string): Promise<number> {
  const sent = await env.use(postman).deliver(tenantId);
  const dropped = await forEachDue(env, passwordLinks, { by: "expiresAt", before: now }, tenantId, (ctx, link) =>
    ctx.remove(passwordLinks, link),
  );
  return sent + dropped;
}
