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
import { type AccessReconciliation, accessReconciliations } from "../schema.js";
import { report } from "./fail.js";
import { holdersOf } from "./holders.js";
import { settleUntouched } from "./settle.js";

/** How long a process reserves a reconciliation between two writes, in milliseconds. It is longer than its calls may take. */
export const LEASE = 180_000;
const FROZEN_PAUSE = minutesMs(1);

/** Reconciliations to work on, and how many were due with those that nothing is to be done for. */
interface Leased {
  readonly reconciliations: readonly AccessReconciliation[];
  readonly due: number;
}

/** Reconciliations that are due, revocations first, and reserved for this process. */
export async function leaseReconciliations(env: Environment, tenantId: string, most: number): Promise<Leased> {
  const ctx = systemContext(env, tenantId, "provision");
  const isIdle = ["urgentAt", "dueAt"].every((by) =>
    isQuiet(env, tenantId, accessReconciliations, { by, through: ctx.now }),
  );
  if (isIdle || (await dueReconciliations(ctx, 1)).length === 0) return { reconciliations: [], due: 0 };
  return ctx.write(async (inner) => {
    const reconciliations: AccessReconciliation[] = [];
    const due = await dueReconciliations(inner, most);
    for (const reconciliation of due) {
      const held = await leaseOne(inner, reconciliation);
      if (held) reconciliations.push(held);
    }
    return { reconciliations, due: due.length };
  });
}

async function dueReconciliations(ctx: Pick<Context, "db" | "now">, size: number): Promise<AccessReconciliation[]> {
  const by = (field: string) =>
    ctx.db.find(accessReconciliations, { order: { by: field, direction: "asc" }, range: { through: ctx.now }, size });
  const urgent = (await by("urgentAt")).rows;
  const others = urgent.length < size ? (await by("dueAt")).rows : [];
  return [...new Map([...urgent, ...others].map((row) => [row.id, row.value])).values()].slice(0, size);
}

/** Reserves a reconciliation, or puts it off where nothing may be done. */
async function leaseOne(ctx: Context, reconciliation: AccessReconciliation): Promise<AccessReconciliation | undefined> {
  const { wanted, ending } = await holdersOf(ctx, reconciliation);
  const turned = wanted === reconciliation.wanted ? {} : { wanted, attempts: 0, failingSince: null };
  const fence = reconciliation.fence + 1;
  const wait = await waitOf(ctx, reconciliation, wanted);
  if (wait !== undefined) {
    const dueAt = timestamp(ctx.request.nowMs + wait);
    await ctx.update(accessReconciliations, reconciliation, { ...turned, fence, phase: "parked", dueAt });
    if (wanted === "absent") await report(ctx, reconciliation, NOT_WRITTEN);
    return undefined;
  }
  const dueAt = timestamp(ctx.request.nowMs + LEASE);
  const held = await ctx.update(accessReconciliations, reconciliation, { ...turned, fence, phase: "working", dueAt });
  const isUntouched = wanted === "absent" && isUntried(reconciliation) && ending.every(wasNeverActive);
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
const isUntried = ({ granted, preExisting, failure, observedAt, targetState }: AccessReconciliation) =>
  !granted && !preExisting && failure === null && (observedAt === null || targetState === "absent");

const wasNeverActive = ({ activatedAt }: Pick<AccessAssignment, "activatedAt">) => activatedAt === null;

/** How long a reconciliation is put off; `undefined` when it goes on. New access stops where a revocation still goes on. */
async function waitOf(
  ctx: Context,
  reconciliation: AccessReconciliation,
  wanted: AccessReconciliation["wanted"],
): Promise<number | undefined> {
  if (wanted === "present" && (await engagedSwitchesOf(ctx)).has(PROVISION)) return FROZEN_PAUSE;
  const row = await ctx.db.get(instances, reconciliation.connectorInstanceId);
  const instance = row && ctx.derived(instances, row);
  const isCalled = instance?.status === "active" || (instance?.status === "deleting" && wanted === "absent");
  const mayWrite =
    isCalled &&
    instance.governanceMode === "managed" &&
    (await whyUnmanaged(ctx, reconciliation.resourceId)) === undefined;
  return mayWrite && instance.health !== "misconfigured" ? undefined : hoursMs(1);
}
