import type { Context } from "#kernel/operation/context.js";
import { samlSessions } from "../schema.js";
import { endSessions } from "./end.js";

/** The most open sessions of somebody at one application, and at all of them. A logout tells the application of each. */
const MOST_AT_APP = 20;
const MOST = 100;
/** How many are looked at. What is beyond was left by a release without limits, and ends with the next sign-ons. */
const PAGE = 200;

/** Ends the oldest sessions of somebody where one more at an application would be too many, within its transaction. */
export async function makeRoom(ctx: Context, userId: string, appId: string): Promise<void> {
  const { rows } = await ctx.db.find(samlSessions, { where: { userId, state: "live" }, size: PAGE });
  const open = rows.map(({ value }) => value).filter(({ endsAt }) => endsAt > ctx.now);
  const there = open.filter((session) => session.appId === appId);
  const over = new Set([...there.slice(MOST_AT_APP - 1), ...open.slice(MOST - 1)]);
  if (over.size > 0) await endSessions(ctx, [...over], "too_many_sessions");
}
