import type { Environment } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { vault } from "#kernel/operation/vault/vault.js";
import { chatChannelSecrets } from "./schema.js";

const placeOf = (tenantId: string, id: string) =>
  ({ tenantId, collection: chatChannelSecrets.name, id, field: "sealedUrl" }) as const;

/** Seals the address of a channel, before the transaction that stores it. */
export const sealUrl = (env: Environment, tenantId: string, id: string, url: string): Promise<string> =>
  env.use(vault).seal(placeOf(tenantId, id), url);

/** Stores the sealed address of a channel. */
export async function storeUrl(ctx: Context, id: string, sealedUrl: string): Promise<void> {
  const held = (await ctx.db.get(chatChannelSecrets, id))?.value;
  if (held) await ctx.update(chatChannelSecrets, held, { sealedUrl });
  else await ctx.insert(chatChannelSecrets, { id, sealedUrl });
}

/** The address of a channel. Outside of transactions only. */
export async function openUrl(env: Environment, tenantId: string, id: string): Promise<string> {
  const held = (await env.store.forTenant(tenantId).get(chatChannelSecrets, id))?.value;
  if (!held) throw new ReeveError("secret_unavailable");
  return env.use(vault).open(placeOf(tenantId, id), held.sealedUrl);
}
