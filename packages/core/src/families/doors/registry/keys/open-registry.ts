import { attemptToken } from "#families/identity/index.js";
import { enterTenant } from "#families/platform/index.js";
import { notFound, ReeveError } from "#kernel/http/errors.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { timestamp } from "#ports/clock.js";
import { registryKeyHashes, registryKeys } from "../schema.js";
import { hashOf, isKey } from "./key-form.js";

/**
 * A reading context of the tenant whose key stands in an address. 404 for every key that opens nothing, whatever the reason;
 * those are counted like other failed secrets. The store is asked with each request, so that a revocation is felt by the next.
 */
export async function openRegistry(ctx: ReadContext, key: string): Promise<ReadContext> {
  if (!isKey(key)) throw notFound();
  const hash = hashOf(ctx.env, key);
  return attemptToken(ctx, hash, async () => {
    const found = await ctx.env.store.platform.get(registryKeyHashes, hash);
    const { keyId, expiresAt } = found?.value ?? { keyId: "", expiresAt: null };
    if (!found || (expiresAt !== null && expiresAt <= timestamp(ctx.env.clock.now()))) throw notFound();
    const record = await ctx.env.store.forTenant(found.tenantId).get(registryKeys, keyId);
    if (record?.value.status !== "active") throw notFound();
    return enterTenant(ctx, found.tenantId, "ai_registry").catch(hidden);
  });
}

/** A tenant that does not admit the request is answered as if the key opened nothing. */
function hidden(error: unknown): never {
  throw ReeveError.is(error) && error.code === "invalid_token" ? notFound() : error;
}
