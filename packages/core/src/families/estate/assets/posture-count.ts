import { FINDING_STATUSES, findings, isOpen, OpenChanges } from "#families/findings/index.js";
import type { Context } from "#kernel/operation/context.js";
import { everyPage } from "#kernel/operation/every-page.js";
import { NO_POSTURE, type Posture, postureAfter } from "./asset-posture.js";

const OPEN = FINDING_STATUSES.filter(isOpen);

/** Counts the open findings of an asset, as they are stored. `null` for none. */
export async function countOpenFindings(ctx: Context, assetId: string): Promise<Posture["openFindings"]> {
  const counted = new OpenChanges();
  for await (const rows of everyPage(ctx.db, findings, { where: { assetId, status: OPEN } }))
    for (const { value } of rows) counted.add(undefined, value);
  return postureAfter(NO_POSTURE, counted.byAsset.get(assetId) ?? {}, undefined, ctx.now).openFindings;
}
