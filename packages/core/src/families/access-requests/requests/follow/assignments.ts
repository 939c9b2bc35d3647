import { type AccessAssignment, accessAssignments } from "#families/access-grants/index.js";
import { defineFollower } from "#kernel/operation/area.js";
import type { Context } from "#kernel/operation/context.js";
import { isIdOf } from "#store/collection.js";
import { outcomeOf } from "../grant/outcome.js";
import { accessRequestStatus } from "../machine.js";
import { accessRequests, type RequestItem } from "../schema.js";

const BEGUN: ReadonlySet<AccessAssignment["status"]> = new Set(["pending", "active"]);

/** The most requests that change one assignment at once. */
const MOST = 20;

/** Whether the target has taken the grant, and shows it or never shows such a thing. */
export const isProvided = ({ status, targetState, unseenSince }: AccessAssignment): boolean =>
  status === "active" && (targetState === "present" || unseenSince !== null);

/** What an assignment says of its item; `undefined` while the target works on it. */
function standingOf(one: AccessAssignment): Pick<RequestItem, "status" | "error"> | undefined {
  if (isProvided(one)) return { status: "provisioned", error: null };
  if (BEGUN.has(one.status)) return undefined;
  const { failure, endReason } = one;
  const isDeclined = failure?.errorClass === "declined";
  const error = {
    code: failure?.errorClass ?? endReason ?? "ended",
    message: failure?.message ?? "It has ended before.",
  };
  return { status: isDeclined ? "declined" : "failed", error };
}

/** A request follows what becomes of its access, until the target has all of it or has given up. */
export const followAssignments = defineFollower(accessAssignments, async (ctx, { before, after }) => {
  if (!before || !after) return;
  const isSame = before.status === after.status && isProvided(before) === isProvided(after);
  const standing = isSame ? undefined : standingOf(after);
  if (!standing) return;
  for (const requestId of await requestsAbout(ctx, after)) {
    const row = await ctx.db.get(accessRequests, requestId);
    if (row?.value.status !== "provisioning") continue;
    const request = row.value;
    const items = request.items.map((item) =>
      item.assignmentId === after.id && item.status === "provisioning" ? { ...item, ...standing } : item,
    );
    const event = outcomeOf(items);
    const options = { triggeredBy: "connector", patch: { items } } as const;
    if (event) await ctx.transition(accessRequests, accessRequestStatus, request, { event }, options);
    else await ctx.update(accessRequests, request, { items }, { event: false, stamp: false });
  }
});

async function requestsAbout(ctx: Context, { id, requestId }: AccessAssignment): Promise<string[]> {
  const changing = await ctx.db.find(accessRequests, { where: { changing: id }, size: MOST });
  const own = requestId !== null && isIdOf(accessRequests, requestId) ? [requestId] : [];
  return [...new Set([...own, ...changing.rows.map((row) => row.id)])];
}
