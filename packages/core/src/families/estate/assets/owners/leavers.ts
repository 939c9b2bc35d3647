import { ReeveError } from "../../../../kernel/http/errors.js";
import { defineFollower } from "../../../../kernel/operation/area.js";
import type { ReadContext } from "../../../../kernel/operation/read-context.js";
import { type User, users } from "../../../identity/index.js";
import { assets } from "../schema.js";

/** The most users who are looked at: an overview names no more of them in one address. */
const LEAVERS = 40;
/** Values that an index is asked for at once. */
const SEEKS = 8;
/** Assets whose owners are named. */
const ASSETS = 100;

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

/** The disabled users who own assets, of those who joined last, and how many assets those are. */
export async function assetsOfLeavers(ctx: ReadContext): Promise<{ owners: readonly string[]; count: number }> {
  const left = await ctx.db.find(users, { where: { status: "disabled" }, size: LEAVERS });
  const owners: string[] = [];
  let count = 0;
  for (let at = 0; at < left.rows.length; at += SEEKS) {
    const ids = left.rows.slice(at, at + SEEKS).map(({ id }) => id);
    const { rows } = await ctx.db.find(assets, { where: { owner: ids }, size: ASSETS });
    const found = [...new Set(rows.map(({ value }) => value.owner?.id as string))];
    if (found.length > 0) count += (await ctx.db.count(assets, { where: { owner: found } })).count;
    owners.push(...found);
  }
  return { owners, count };
}
