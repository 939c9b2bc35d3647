import { type User, users } from "#families/identity/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import { defineFollower } from "#kernel/operation/area.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { Found } from "#store/store.js";
import { assets } from "../schema.js";

/** Users who are looked at together: an overview names no more of them in one address. */
const LEAVERS = 40;
/** The most users who are looked at until one of them owns something. */
const MOST = 1_000;

/** 409 for the removal of a user who answers for assets, so that no asset is left with an owner nobody knows. */
export const keepOwners = defineFollower<User>(users, async (ctx, { before, after }) => {
  if (after || !before) return;
  const { id } = before;
  const answersAs = async (role: "owner" | "sponsor") =>
    (await ctx.db.find(assets, { where: { [role]: id }, size: 1 })).rows.length > 0;
  if (!(await answersAs("owner")) && !(await answersAs("sponsor"))) return;
  throw new ReeveError(
    "in_use",
    "The user answers for AI assets; reassign them first, and disable the user until then.",
  );
});

/** Disabled users who own assets, those who joined last first, and how many assets those are. */
export interface OwnedByLeavers {
  readonly owners: readonly string[];
  readonly count: number;
  /** Whether others were not looked at. */
  readonly hasMore: boolean;
}

/** What disabled users own, of the first of them who own anything. */
export async function assetsOfLeavers(ctx: ReadContext): Promise<OwnedByLeavers> {
  let found: Found<User> | undefined;
  for (let seen = 0; seen < MOST && (!found || found.next); seen += LEAVERS) {
    const after = found?.next ? { after: found.next } : {};
    found = await ctx.db.find(users, { where: { status: "disabled" }, size: LEAVERS, ...after });
    const ids = found.rows.map(({ id }) => id);
    const owned = await Promise.all(ids.map((owner) => ctx.db.count(assets, { where: { owner } })));
    const count = owned.reduce((sum, one) => sum + one.count, 0);
    const owners = ids.filter((_id, at) => owned[at]?.count);
    if (count > 0) return { owners, count, hasMore: found.next !== undefined };
  }
  return { owners: [], count: 0, hasMore: found?.next !== undefined };
}
