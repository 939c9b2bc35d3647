import { PROVISION, whyUnmanaged } from "#families/access/index.js";
import { instances } from "#families/connectors/index.js";
import { engagedSwitchesOf } from "#families/estate/index.js";
import type { Environment } from "#kernel/config/environment.js";
import type { Context } from "#kernel/operation/context.js";
import { isQuiet } from "#kernel/operation/first-dues.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { timestamp } from "#ports/clock.js";
import { hoursMs, minutesMs } from "#ports/durations.js";
import type { AccessAssignment } from "../../assignments/schema.js";
import { type AccessLane, accessLanes } from "../schema.js";
import { tell } from "./fail.js";
import { holdersOf } from "./holders.js";
import { settleUntouched } from "./settle.js";

/** How long a process reserves a lane between two writes, in milliseconds. It is longer than its calls may take. */
export const LEASE = 180_000;
const FROZEN_PAUSE = minutesMs(1);

/** Lanes to work on, and how many were due with those that nothing is to be done for. */
interface Leased {
  readonly lanes: readonly AccessLane[];
  readonly due: number;
}

/** Lanes that are due, revocations first, and reserved for this process. */
export async function leaseLanes(env: Environment, tenantId: string, most: number): Promise<Leased> {
  const ctx = systemContext(env, tenantId, "provision");
  const isIdle = ["urgentAt", "dueAt"].every((by) => isQuiet(env, tenantId, accessLanes, { by, through: ctx.now }));
  if (isIdle || (await dueLanes(ctx, 1)).length === 0) return { lanes: [], due: 0 };
  return ctx.write(async (inner) => {
    const lanes: AccessLane[] = [];
    const due = await dueLanes(inner, most);
    for (const lane of due) {
      const held = await leaseOne(inner, lane);
      if (held) lanes.push(held);
    }
    return { lanes, due: due.length };
  });
}

async function dueLanes(ctx: Pick<Context, "db" | "now">, size: number): Promise<AccessLane[]> {
  const by = (field: string) =>
    ctx.db.find(accessLanes, { order: { by: field, direction: "asc" }, range: { through: ctx.now }, size });
  const urgent = (await by("urgentAt")).rows;
  const others = urgent.length < size ? (await by("dueAt")).rows : [];
  return [...new Map([...urgent, ...others].map((row) => [row.id, row.value])).values()].slice(0, size);
}

/** Reserves a lane, or puts it off where nothing may be done. */
async function leaseOne(ctx: Context, lane: AccessLane): Promise<AccessLane | undefined> {
  const { wanted, ending } = await holdersOf(ctx, lane);
  const turned = wanted === lane.wanted ? {} : { wanted, attempts: 0, failingSince: null };
  const fence = lane.fence + 1;
  const wait = await waitOf(ctx, lane, wanted);
  if (wait !== undefined) {
    const dueAt = timestamp(ctx.request.nowMs + wait);
    await ctx.update(accessLanes, lane, { ...turned, fence, phase: "parked", dueAt });
    if (wanted === "absent") await tell(ctx, lane, NOT_WRITTEN);
    return undefined;
  }
  const dueAt = timestamp(ctx.request.nowMs + LEASE);
  const held = await ctx.update(accessLanes, lane, { ...turned, fence, phase: "working", dueAt });
  const isUntouched = wanted === "absent" && isUntried(lane) && ending.every(wasNeverActive);
  if (!isUntouched) return held;
  await settleUntouched(ctx, held);
  return undefined;
}

const NOT_WRITTEN = {
  errorClass: "config",
  code: "not_writable",
  message: "Access there may not be changed now.",
};

/** A grant that was tried and refused is looked for, since refusals too may be wrong. */
const isUntried = ({ granted, preExisting, failure, observedAt, targetState }: AccessLane) =>
  !granted && !preExisting && failure === null && (observedAt === null || targetState === "absent");

const wasNeverActive = ({ activatedAt }: Pick<AccessAssignment, "activatedAt">) => activatedAt === null;

/** How long a lane is put off; `undefined` when it goes on. New access stops where a revocation still goes on. */
async function waitOf(ctx: Context, lane: AccessLane, wanted: AccessLane["wanted"]): Promise<number | undefined> {
  if (wanted === "present" && (await engagedSwitchesOf(ctx)).has(PROVISION)) return FROZEN_PAUSE;
  const row = await ctx.db.get(instances, lane.connectorInstanceId);
  const instance = row && ctx.derived(instances, row);
  const isCalled = instance?.status === "active" || (instance?.status === "deleting" && wanted === "absent");
  const mayWrite =
    isCalled && instance.governanceMode === "managed" && (await whyUnmanaged(ctx, lane.resourceId)) === undefined;
  return mayWrite && instance.health !== "misconfigured" ? undefined : hoursMs(1);
}
