import { assets } from "#families/estate/index.js";
import { defineFollower } from "#kernel/operation/area.js";
import type { Context } from "#kernel/operation/context.js";
import { everyPage } from "#kernel/operation/every-page.js";
import { dropSecrets } from "./credentials/secret.js";
import { installationStatus } from "./machine.js";
import { type Installation, installations } from "./schema.js";

/** Revokes an installation for good. Its next request is refused, in every process. */
export async function revokeInstallation(
  ctx: Context,
  installation: Installation,
  reason: string | undefined,
): Promise<Installation> {
  if (installation.status === "revoked") return installation;
  const patch = { revokedAt: ctx.now, revocationReason: reason ?? null };
  const options = { reason, patch };
  const revoked = await ctx.transition(installations, installationStatus, installation, { event: "revoke" }, options);
  await dropSecrets(ctx, installation.id);
  return revoked;
}

/** Installations whose identity is deleted lose their credentials with it. */
export const dropWithIdentity = defineFollower(assets, async (ctx, { before, after }) => {
  if (after || before?.assetType !== "identity") return;
  for await (const rows of everyPage(ctx.db, installations, { where: { assetId: before.id } }))
    for (const { value } of rows) {
      await dropSecrets(ctx, value.id);
      await ctx.remove(installations, value);
    }
});
