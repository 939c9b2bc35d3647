import type { EventSpec } from "#kernel/events/events.js";
import type { Context } from "#kernel/operation/context.js";
import { hoursMs } from "#ports/durations.js";
import { addTo, type BySeverity, countToday } from "../days/schema.js";
import type { Finding } from "./fields.js";
import { isOpen } from "./finding-terms.js";
import { OpenChanges, openCounts } from "./open-changes.js";
import { differences, type FindingPatch, type FindingVerb, verbOf } from "./review-verbs.js";
import { findingAt } from "./rules.js";
import { findings } from "./schema.js";

/** A stored finding, and the fields to change. */
export interface FindingChange {
  readonly before: Finding;
  readonly patch: FindingPatch;
}

type Cause = Readonly<Record<string, unknown>>;
type EventDetails = Omit<EventSpec, "type">;

/** This file is the only writer of findings. Each kind of change has an event type of its own, `touched` has none. */
const EVENTS: Readonly<
  Record<Exclude<FindingVerb, "touched">, (ctx: Context, reported: EventDetails) => Promise<void>>
> = {
  updated: (ctx, reported) => ctx.emit({ type: "finding.updated", ...reported }),
  resolved: (ctx, reported) => ctx.emit({ type: "finding.resolved", ...reported }),
  reopened: (ctx, reported) => ctx.emit({ type: "finding.reopened", ...reported }),
  refuted: (ctx, reported) => ctx.emit({ type: "finding.fix_refuted", severity: "WARN", ...reported }),
  exempted: (ctx, reported) => ctx.emit({ type: "finding.exempted", ...reported }),
  voided: (ctx, reported) => ctx.emit({ type: "finding.voided", ...reported }),
  closed: (ctx, reported) => ctx.emit({ type: "finding.closed", ...reported }),
};

/** Stores new findings within the transaction, with one event each. `into` as with `changeFindings`. */
export async function openFindings(ctx: Context, opened: readonly Finding[], into?: OpenChanges): Promise<void> {
  if (opened.length === 0) return;
  await ctx.insertMany(findings, opened, {
    event: (after) => ({ type: "finding.opened", ...about(after), data: { ...entityOf(after), after } }),
  });
  const bySeverity: BySeverity = {};
  for (const finding of opened) addTo(bySeverity, finding.effectiveSeverity, { found: 1, open: opensBy(finding) });
  await countToday(ctx, { opened: opened.length, bySeverity });
  const counted = into ?? new OpenChanges();
  for (const finding of opened) counted.add(undefined, finding);
  if (!into) await keepCounts(ctx, counted);
}

async function keepCounts(ctx: Context, counted: OpenChanges): Promise<void> {
  if (counted.byAsset.size === 0) return;
  for (const keep of ctx.env.use(openCounts)) await keep(ctx, counted);
}

/**
 * Stores changed findings within the transaction, as they are now. Each gets the event of its kind of change, and one
 * when its due date has passed. `cause` is added to the data of the events. Returns the findings as they are now. Their
 * numbers are kept on the assets, unless `into` collects them for a caller that keeps them.
 */
export async function changeFindings(
  ctx: Context,
  changes: readonly FindingChange[],
  cause: Cause = {},
  into?: OpenChanges,
): Promise<Finding[]> {
  const after: Finding[] = [];
  const counted = into ?? new OpenChanges();
  const counts = { reopened: 0, resolved: 0, hoursOpen: 0, bySeverity: {} as BySeverity };
  for (const { before, patch } of changes) {
    const { next, verb } = await change(ctx, before, patch, cause);
    after.push(next);
    counted.add(before, next);
    const resolved = verb === "resolved" ? 1 : 0;
    addTo(counts.bySeverity, before.effectiveSeverity, { open: -opensBy(before), resolved });
    addTo(counts.bySeverity, next.effectiveSeverity, { open: opensBy(next), found: verb === "reopened" ? 1 : 0 });
    if (verb === "reopened") counts.reopened += 1;
    if (verb !== "resolved") continue;
    counts.resolved += 1;
    counts.hoursOpen += hoursBetween(before.episodes.at(-1)?.openedAt ?? before.firstSeenAt, ctx.now);
  }
  await countToday(ctx, counts);
  if (!into) await keepCounts(ctx, counted);
  return after;
}

/** What a finding adds to the number of open ones. */
const opensBy = ({ status }: Pick<Finding, "status">) => (isOpen(status) ? 1 : 0);

const hoursBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / hoursMs(1);

/**
 * Makes a version of a finding about which something is asked for. Who decides names the version that they have seen, and
 * so decides about no later request.
 */
export async function touchFinding(ctx: Context, id: string): Promise<void> {
  const row = await ctx.db.get(findings, id);
  if (row) await ctx.update(findings, row.value, {}, { event: false, touch: true });
}

/** As `changeFindings`, for one finding. A patch that changes nothing is not stored. */
export async function changeFinding(
  ctx: Context,
  before: Finding,
  patch: FindingPatch,
  cause: Cause = {},
): Promise<Finding> {
  const [after = before] = await changeFindings(ctx, [{ before, patch }], cause);
  return after;
}

async function change(
  ctx: Context,
  before: Finding,
  patch: FindingPatch,
  cause: Cause,
): Promise<{ readonly next: Finding; readonly verb: FindingVerb }> {
  // A due date that has passed stays passed, although nothing has written that down yet.
  const { slaBreachedAt } = findingAt(before, ctx.now);
  const wanted = findingAt({ ...before, slaBreachedAt, ...patch }, ctx.now);
  const changed = differences(before, wanted);
  if (Object.keys(changed).length === 0) return { next: before, verb: "touched" };
  const next = await ctx.update(findings, before, changed, { event: false });
  const verb = verbOf(before, next, ctx.now);
  const data = {
    ...entityOf(next),
    from: before.status,
    to: next.status,
    changes: reported(before, changed),
    ...cause,
  };
  if (verb !== "touched") await EVENTS[verb](ctx, { ...about(next), data });
  if (before.slaBreachedAt === null && next.slaBreachedAt !== null) {
    const late = { ...entityOf(next), dueAt: next.slaBreachedAt, severity: next.effectiveSeverity };
    await ctx.emit({ type: "finding.sla_breached", ...about(next), severity: "WARN", data: late });
  }
  return { next, verb };
}

function about({ id, assetId, policyId }: Finding): Pick<EventSpec, "subject" | "related"> {
  const path = `/api/v1/ai-governance/findings/${id}`;
  return { subject: { id, type: "finding", path }, related: policyId === null ? [assetId] : [assetId, policyId] };
}

function entityOf({ id, name }: Finding) {
  return { entity: { type: "finding", id, name } };
}

function reported(before: Finding, changed: FindingPatch) {
  const was = before as Readonly<Record<string, unknown>>;
  return Object.entries(changed).map(([field, to]) => ({ field, from: was[field] ?? null, to: to ?? null }));
}
