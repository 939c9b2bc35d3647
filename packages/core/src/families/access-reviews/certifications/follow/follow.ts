import { accessProfiles } from "#families/access/index.js";
import { type AccessAssignment, accessAssignments, holdingOf, isLive } from "#families/access-grants/index.js";
import { systemPrincipal } from "#kernel/config/principal.js";
import { defineFollower } from "#kernel/operation/area.js";
import type { Context } from "#kernel/operation/context.js";
import { NO_DIGEST } from "../create/create.js";
import { certificationItemStatus } from "../items/machine.js";
import { type CertificationItem, certificationItems, isDenied } from "../items/schema.js";
import { certificationRuns } from "../schema.js";
import { lookAtAll } from "../snapshot-look.js";
import { scopeHashOf } from "../take-snapshot.js";
import { wake } from "../work/continue.js";
import { isOnlyNarrower } from "./narrower.js";
import { outdateItem } from "./outdate.js";

/** The most campaigns that one assignment is part of at a time. */
const MOST = 100;

/** What of an assignment the items about it depend on. */
const concernOf = (one: AccessAssignment) => `${one.status} ${scopeHashOf(one)}`;

/** Items follow the access that they are about, in the transaction of its change. */
export const followAccess = defineFollower(accessAssignments, async (given, { before, after }) => {
  if (!before || !after || concernOf(before) === concernOf(after)) return;
  const { rows } = await given.db.find(certificationItems, { where: { follows: after.id }, size: MOST });
  // Whoever changed the access has not decided about its items.
  const ctx = given.as(systemPrincipal(given.principal.tenantId));
  for (const { value } of rows) await follow(ctx, value, before, after);
});

async function follow(ctx: Context, item: CertificationItem, before: AccessAssignment, one: AccessAssignment) {
  const move = (event: "finish" | "stall" | "resolve", note: string) =>
    ctx.transition(
      certificationItems,
      certificationItemStatus,
      item,
      { event },
      { triggeredBy: "system", patch: { note } },
    );
  const isEnding = item.status === "remediating" || item.status === "remediation_failed";
  const isOver = !isLive(one);
  if (isEnding) {
    if (isOver) await move("finish", `It is ${one.status}.`);
    else if (one.status === "revoke_failed" && item.status === "remediating")
      await move("stall", "The target does not confirm its end. It is asked again until it does.");
    else return;
    return wake(ctx, item.certificationId);
  }
  if (!holdingOf(one)) {
    if (item.outlivesAccess) return;
    await move("resolve", `The access is ${one.status}.`);
    return wake(ctx, item.certificationId);
  }
  if (scopeHashOf(one) !== item.snapshot.scopeHash) {
    if (await staysDenied(ctx, item, before, one)) return keepDenial(ctx, item, one);
    await outdateItem(ctx, item, "The access has changed.");
  }
}

/** What was denied stays denied when less of it is left. Otherwise one moment less would take a revocation back. */
async function staysDenied(ctx: Context, item: CertificationItem, before: AccessAssignment, one: AccessAssignment) {
  if (!isDenied(item) || scopeHashOf(before) !== item.snapshot.scopeHash) return false;
  return isOnlyNarrower(ctx, before, one);
}

/** Shows the access as it is now beside the decision that stands. */
async function keepDenial(ctx: Context, item: CertificationItem, one: AccessAssignment): Promise<void> {
  const looked = await lookAtAll(ctx, [one]);
  const { snapshot } = looked(one);
  await ctx.update(certificationItems, item, { snapshot }, { stamp: false });
}

/** Access is looked at again when its profile means something else. */
export const followProfiles = defineFollower(accessProfiles, async (ctx, { before, after }) => {
  if (!before || !after || before.definitionHash === after.definitionHash) return;
  const { rows } = await ctx.db.find(certificationItems, { where: { reviewedProfile: after.id }, size: 1 });
  if (rows.length === 0) return;
  await ctx.insert(certificationRuns, {
    ...{ certificationId: null, accessProfileId: after.id, phase: "outdating", cursor: null },
    ...{ items: 0, digest: NO_DIGEST, attempts: 0, dueAt: ctx.now },
  });
});
