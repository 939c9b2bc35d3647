import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { timestamp } from "#ports/clock.js";
import { minutesMs } from "#ports/durations.js";
import type { Found } from "#store/store.js";
import { type Certification, type CertificationRun, certificationRuns, certifications } from "../schema.js";

/** How long a process reserves a run between two writes, in milliseconds. */
export const LEASE = minutesMs(1);
/** Items of one transaction. */
export const BATCH = 200;

/** A run within a transaction, with its campaign and the end of the lease for its next write. */
export interface Held {
  readonly run: CertificationRun;
  readonly campaign: Certification;
  readonly lease: string;
}

/** Rejects with `concurrent_modification` when another process has taken over, or when something has woken the run. */
export async function heldRun(ctx: Context, run: CertificationRun): Promise<CertificationRun> {
  const held = await ctx.db.get(certificationRuns, run.id);
  if (held?.value.version !== run.version) throw new ReeveError("concurrent_modification");
  return held.value;
}

/** The run and its campaign, if this process still holds it. */
export async function held(ctx: Context, seen: CertificationRun): Promise<Held> {
  const run = await heldRun(ctx, seen);
  const campaign = await ctx.getOrThrow(certifications, run.certificationId ?? "");
  return { run, campaign, lease: timestamp(ctx.request.nowMs + LEASE) };
}

/** Where a page of a phase begins. */
export const fromCursor = ({ cursor }: Pick<CertificationRun, "cursor">, size = BATCH) => ({
  order: { direction: "asc" } as const,
  size,
  ...(cursor === null ? {} : { after: JSON.parse(cursor) }),
});

/** Stores where a run goes on: after this page, or in another phase at some time. */
export const goOn = (
  ctx: Context,
  run: CertificationRun,
  patch: Partial<Pick<CertificationRun, "phase" | "cursor" | "items" | "digest" | "dueAt">>,
) => ctx.update(certificationRuns, run, { attempts: 0, ...patch }, { touch: true });

export const cursorOf = ({ next }: Pick<Found<never>, "next">) => (next ? JSON.stringify(next) : null);

/** Has a campaign go on at a time, or earlier when it is due earlier. */
export async function wake(ctx: Context, certificationId: string, at: string = ctx.now): Promise<void> {
  const run = (await ctx.db.lookup(certificationRuns, "certification", { certificationId }))?.value;
  if (!run || run.phase === "over" || (run.dueAt !== null && run.dueAt <= at)) return;
  await ctx.update(certificationRuns, run, { dueAt: at });
}
