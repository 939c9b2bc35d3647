import { subjectOf } from "#kernel/events/record-events.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { installationKeys, installations } from "../schema.js";
import { credentialEnd, overlapEnd } from "./lifetime.js";
import { requireInstallation } from "./own.js";
import { issueSecret, keysOf } from "./secret.js";

export const RotatedInstallationCredential = z
  .object({
    credential: z.string().meta({ description: "The new credential. It is shown this once." }),
    expiresAt: Time.meta({ description: "When it ends." }),
    overlapEndsAt: Time.meta({ description: "When those before stop." }),
  })
  .meta({ id: "RotatedInstallationCredential" });

/** The most credentials of an installation that work at once. */
const MOST_CREDENTIALS = 5;

/** Gives the calling installation a new credential. Those before work for another hour. */
export async function rotateOwnCredential(ctx: Context): Promise<z.output<typeof RotatedInstallationCredential>> {
  const installation = await requireInstallation(ctx);
  const earlier = (await keysOf(ctx, installation.id)).filter(({ expiresAt }) => expiresAt > ctx.now);
  if (earlier.length >= MOST_CREDENTIALS)
    throw new ReeveError("limit_exceeded", "It was rotated too often within an hour.");
  const overlapEndsAt = overlapEnd(ctx);
  for (const key of earlier)
    if (key.expiresAt > overlapEndsAt)
      await ctx.update(installationKeys, key, { expiresAt: overlapEndsAt }, { event: false });
  const expiresAt = credentialEnd(ctx);
  const credential = await issueSecret(ctx, "credential", installation.id, expiresAt);
  await ctx.update(installations, installation, { expiresAt }, { event: false });
  await ctx.emit({
    type: "installation.credential.rotated",
    subject: subjectOf(installations, installation.id),
    related: [installation.assetId],
    data: { overlapEndsAt },
  });
  return { credential, expiresAt, overlapEndsAt };
}
