import { accessAssignments, unknownOf } from "#families/access-grants/index.js";
import type { Context } from "#kernel/operation/context.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { millisecondsOf } from "#kernel/records/duration.js";
import { timestamp } from "#ports/clock.js";
import { hoursMs } from "#ports/durations.js";
import type { CertificationStage } from "../fields.js";
import { certificationItems } from "../items/schema.js";
import { certificationStatus } from "../machine.js";
import { stageEnd } from "../rules.js";
import { type Certification, type CertificationRun, certifications } from "../schema.js";
import { BATCH, goOn, held } from "./continue.js";

/** Starts a campaign whose time has come, once what is known of its targets is new enough. */
export function start(ctx: OutsideContext, seen: CertificationRun): Promise<CertificationRun> {
  return ctx.write(async (inner) => {
    const { run, campaign, lease } = await held(inner, seen);
    if (campaign.startAt > inner.now) return goOn(inner, run, { dueAt: campaign.startAt });
    const data = campaign.staleDataAction === "wait" ? await refreshOldest(inner, campaign) : "fresh";
    if (data !== "fresh") {
      await inner.update(certifications, campaign, { waitingFor: "data" }, { event: false, stamp: false });
      const later = timestamp(inner.request.nowMs + hoursMs(1));
      return goOn(inner, run, { dueAt: data === "some" ? lease : later });
    }
    const [stage] = campaign.stages as [CertificationStage];
    const stageDueAt = stageEnd(stage, campaign.dueAt, inner.request.nowMs);
    const patch = { startedAt: inner.now, stageDueAt, waitingFor: null };
    const options = { triggeredBy: "system", patch } as const;
    await inner.transition(certifications, certificationStatus, campaign, { event: "start" }, options);
    return goOn(inner, run, { phase: "assigning", cursor: null, dueAt: lease });
  });
}

/** Looks again at what was seen longest ago. Tells whether all of it is new enough, some of it became so, or none. */
async function refreshOldest(ctx: Context, { id, maxDataAge }: Certification): Promise<"fresh" | "some" | "old"> {
  const since = timestamp(ctx.request.nowMs - millisecondsOf(maxDataAge));
  const order = { by: "observedAt", direction: "asc" } as const;
  const { rows } = await ctx.db.find(certificationItems, {
    where: { certificationId: id },
    order,
    range: { before: since },
    size: BATCH,
  });
  const old = rows.map(({ value }) => value).filter(({ status }) => status === "pending");
  if (old.length === 0) return "fresh";
  const seen = await ctx.db.getMany(
    accessAssignments,
    old.map(({ assignmentId }) => assignmentId),
  );
  const observed = new Map(seen.map((row) => [row.id, row.value] as const));
  let renewed = 0;
  for (const item of old) {
    const one = observed.get(item.assignmentId);
    if (!one || one.observedAt === item.snapshot.observedAt) continue;
    const { observedAt, targetState } = one;
    const snapshot = { ...item.snapshot, observedAt, targetState, unknown: unknownOf(one) };
    await ctx.update(certificationItems, item, { snapshot }, { event: false, stamp: false });
    renewed += 1;
  }
  return renewed === old.length ? "some" : "old";
}
