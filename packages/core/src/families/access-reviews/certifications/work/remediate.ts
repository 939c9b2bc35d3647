import {
  type AccessAssignment,
  accessAssignments,
  endAssignment,
  holdingOf,
  planChange,
} from "#families/access-grants/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { millisecondsOf } from "#kernel/records/duration.js";
import { timestamp } from "#ports/clock.js";
import { countItems } from "../close/close.js";
import { after } from "../create/body.js";
import { certificationItemStatus } from "../items/machine.js";
import { type CertificationItem, certificationItems } from "../items/schema.js";
import { standing } from "../rules.js";
import type { Certification, CertificationRun } from "../schema.js";
import { profilesOf } from "../snapshot-look.js";
import { scopeHashOf } from "../take-snapshot.js";
import { askAgainAboutStale } from "./again.js";
import { goOn, held } from "./continue.js";

const BATCH = 100;
/** How long a certification holds where neither people nor a recurrence say so. */
const VALID = "P90D";

/** Carries out what was decided once it cannot be undone any more. Goes on to the report when nothing is left. */
export function remediate(ctx: OutsideContext, seen: CertificationRun): Promise<CertificationRun> {
  return ctx.write(async (inner) => {
    const { run, campaign, lease } = await held(inner, seen);
    if (campaign.status !== "remediating") return goOn(inner, run, { dueAt: null });
    const report = () => goOn(inner, run, { phase: "reporting", cursor: null, items: 0, dueAt: lease });
    if (campaign.remediation.mode === "report_only") return report();
    if ((await askAgainAboutStale(inner, campaign)) > 0) return goOn(inner, run, { dueAt: lease });
    if ((await remediateDue(inner, campaign)) > 0) return goOn(inner, run, { dueAt: lease });
    const next = await nextDue(inner, campaign);
    if (next !== undefined) return goOn(inner, run, { dueAt: next });
    const underWay = await countItems(inner, campaign.id, ["remediating"]);
    return underWay > 0 ? goOn(inner, run, { dueAt: null }) : report();
  });
}

const oldestFirst = { order: { by: "decidedAt", direction: "asc" } } as const;

const DENIALS = ["revoke", "modified"];

/** What may be carried out. While a campaign is active, what is certified may still be looked at by another stage. */
const actionable = ({ id, status }: Certification) => ({
  where: { actionableOf: id, outcome: status === "active" ? DENIALS : [...DENIALS, "certified"] },
  ...oldestFirst,
});

/** When the next decision cannot be undone any more; `undefined` when none is left to carry out. */
export async function nextDue(ctx: Context, campaign: Certification): Promise<string | undefined> {
  const [row] = (await ctx.db.find(certificationItems, { ...actionable(campaign), size: 1 })).rows;
  return row?.value.decidedAt ? after(row.value.decidedAt, campaign.remediation.undoWindow) : undefined;
}

/** Carries out some decisions whose time to be undone is over. Returns how many. */
export async function remediateDue(ctx: Context, campaign: Certification): Promise<number> {
  const through = timestamp(ctx.request.nowMs - millisecondsOf(campaign.remediation.undoWindow));
  const { rows } = await ctx.db.find(certificationItems, { ...actionable(campaign), range: { through }, size: BATCH });
  const items = rows.map(({ value }) => value);
  const found = await ctx.db.getMany(accessAssignments, [...new Set(items.map((one) => one.assignmentId))]);
  const profiles = await profilesOf(
    ctx,
    found.map(({ value }) => value),
  );
  for (const item of items) {
    const one = await ctx.getOrThrow(accessAssignments, item.assignmentId);
    const definitionHash = profiles.get(one.accessProfileId)?.definitionHash ?? null;
    await carryOut(ctx, campaign, item, one, definitionHash);
  }
  return items.length;
}

const BY_SYSTEM = { triggeredBy: "system" } as const;

function move(
  ctx: Context,
  item: CertificationItem,
  event: "finish" | "begin" | "outdate" | "keep" | "stall" | "resolve",
  patch: Partial<CertificationItem> = {},
) {
  const options = { ...BY_SYSTEM, patch, ...(patch.note ? { reason: patch.note } : {}) };
  return ctx.transition(certificationItems, certificationItemStatus, item, { event }, options);
}

/** Carries out one decision, if the access is still what it was about. */
async function carryOut(
  ctx: Context,
  campaign: Certification,
  item: CertificationItem,
  one: AccessAssignment,
  definitionHash: string | null,
): Promise<void> {
  const { outcome, silent, snapshot } = item;
  if (isSpared(campaign, item)) {
    if (silent) await ctx.update(certificationItems, item, { outcome: null, silent: false }, { stamp: false });
    else await move(ctx, item, "keep", { outcome: null, note: "Whoever confirmed the campaign kept it." });
    return;
  }
  if (!holdingOf(one)) {
    const isWord = outcome === "certified" || item.outlivesAccess;
    await move(ctx, item, isWord ? "finish" : "resolve", { note: `It is ${one.status}.` });
    return;
  }
  if (scopeHashOf(one) !== snapshot.scopeHash || definitionHash !== snapshot.definitionHash) {
    await move(ctx, item, "outdate", { note: "The access is not what was decided about." });
    return;
  }
  if (outcome === "certified") {
    const certifiedUntil = certifiedUntilOf(ctx, campaign, item);
    await ctx.update(accessAssignments, one, { certifiedUntil }, { event: false, stamp: false });
    await move(ctx, item, "finish");
  } else if (outcome === "modified") await narrow(ctx, item, one);
  else {
    await move(ctx, item, "begin");
    const reason = `Certification ${campaign.id}: ${reasonOf(item) ?? "nobody has said that it is needed"}`;
    await endAssignment(ctx, one, { endReason: "certification", reason, triggeredBy: "system" });
  }
}

/** Whether whoever confirmed the campaign wants less to be revoked. */
function isSpared({ confirmation }: Certification, { outcome, silent }: CertificationItem): boolean {
  if (outcome !== "revoke" || !confirmation?.by) return false;
  return confirmation.chosen === "none" || (confirmation.chosen === "decided" && silent);
}

const reasonOf = (item: CertificationItem) =>
  standing(item, item.decisions).findLast(({ decision }) => decision !== "certify")?.reason ?? null;

function certifiedUntilOf(ctx: Context, { recurrence }: Certification, item: CertificationItem): string {
  const given = standing(item, item.decisions)
    .flatMap(({ validUntil }) => validUntil ?? [])
    .sort();
  return given[0] ?? after(ctx.now, recurrence ?? VALID);
}

async function narrow(ctx: Context, item: CertificationItem, one: AccessAssignment): Promise<void> {
  const wanted = standing(item, item.decisions).findLast(({ decision }) => decision === "modify")?.modification ?? {};
  const plan = await planned(ctx, one, wanted);
  if ("note" in plan) return void (await move(ctx, item, "stall", plan));
  await move(ctx, item, "finish");
  await ctx.update(accessAssignments, one, plan.patch, { reason: reasonOf(item) ?? undefined });
}

type Wanted = NonNullable<CertificationItem["decisions"][number]["modification"]>;

async function planned(ctx: Context, one: AccessAssignment, wanted: Wanted) {
  try {
    const plan = await planChange(ctx, one, wanted);
    return plan.isNarrower ? plan : { note: "It would permit more than there is by now." };
  } catch (error) {
    if (ReeveError.is(error)) return { note: error.message };
    throw error;
  }
}
