import type { Context } from "#kernel/operation/context.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { offerMatters } from "../../chat-channels/offer-matters.js";
import type { Matter, StandIns } from "../matters/matter.js";
import { rowsAbout } from "../matters/rows-about.js";
import { mattersOf } from "../matters/sources.js";
import { type Notice, notices } from "../schema.js";
import { letOthersRun } from "../take-turns.js";
import { reopen, tell, type Wanted } from "./tell-people.js";

/** The most notices of one transaction: some milliseconds, for which SQLite holds the event loop. */
const WRITTEN = 50;
/** The records whose notices are settled together, so that they fit into memory with everybody who may decide. */
export const BATCH = 50;

/**
 * Makes the notices about these records what they are to be now: those who are to be told and were not get one, and notices of
 * what has ended are over. Nobody is told of one matter twice. Returns how many notices were made or ended.
 */
export async function settleMatters(ctx: OutsideContext, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const [{ matters, standIns }, held] = await Promise.all([mattersOf(ctx, ids), rowsAbout(ctx.db, notices, ids)]);
  const wanted = matters.flatMap((matter) => wantedIn(matter, standIns));
  const keys = new Set(wanted.map(({ matter, userId }) => keyOf({ ...matter, userId })));
  const told = new Set(held.map(keyOf));
  const turned = held.filter((notice) => (notice.status === "open") !== keys.has(keyOf(notice)));
  const missing = wanted.filter(({ matter, userId }) => !told.has(keyOf({ ...matter, userId })));
  for (const some of inBatches(turned)) {
    await ctx.write((inner) => turn(inner, some));
    await letOthersRun(ctx.env);
  }
  for (const some of inBatches(missing)) {
    await ctx.write((inner) => tell(inner, some));
    await letOthersRun(ctx.env);
  }
  await offerMatters(ctx, ids, matters);
  await letOthersRun(ctx.env);
  return turned.length + missing.length;
}

/** Whose matter it is gets no mail while somebody who is told stands in. */
function wantedIn(matter: Matter, standIns: StandIns): Wanted[] {
  const told = new Set(matter.people.map(({ id }) => id));
  return matter.people.map(({ id }) => ({
    ...{ matter, userId: id },
    onBehalfOf:
      matter.whose === undefined || matter.whose === id || !standIns(matter.whose).includes(id) ? null : matter.whose,
    isAway: standIns(id).some((other) => told.has(other)),
  }));
}

const keyOf = ({ userId, kind, key }: Pick<Notice, "userId" | "kind" | "key">): string => `${userId} ${kind} ${key}`;

function* inBatches<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += WRITTEN) yield all.slice(at, at + WRITTEN);
}

/** Ends open notices, and takes back the end of those that are over. A notice that is over is not mailed. */
async function turn(ctx: Context, some: readonly Notice[]): Promise<void> {
  const wasOpen = new Map(some.map(({ id, status }) => [id, status === "open"] as const));
  const rows = await ctx.db.getMany(notices, [...wasOpen.keys()]);
  const turned = rows.map(({ value }) => value).filter(({ id, status }) => (status === "open") === wasOpen.get(id));
  const ended = turned.filter(({ status }) => status === "open");
  for (const notice of ended)
    await ctx.update(notices, notice, { status: "over", overAt: ctx.now, mailAt: null }, { event: false });
  await reopen(
    ctx,
    turned.filter((notice) => !ended.includes(notice)),
  );
}
