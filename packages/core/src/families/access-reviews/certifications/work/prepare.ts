import { type AccessAssignment, accessAssignments } from "#families/access-grants/index.js";
import type { Context } from "#kernel/operation/context.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import type { Filters } from "#store/find-query.js";
import type { Found } from "#store/store.js";
import { repeat } from "../create/repeat.js";
import type { CertificationScope } from "../fields.js";
import { type CertificationItem, certificationItems } from "../items/schema.js";
import { certificationStatus } from "../machine.js";
import { isOfRisk, isUnusedFor, later } from "../rules.js";
import { type Certification, type CertificationRun, certifications } from "../schema.js";
import { type Looked, lookAtAll } from "../snapshot-look.js";
import { BATCH, cursorOf, fromCursor, goOn, held } from "./continue.js";

const BY_SYSTEM = { triggeredBy: "system" } as const;

/** Gathers what a campaign is about, some at a time. A campaign about nothing is over at once. */
export function prepare(ctx: OutsideContext, seen: CertificationRun): Promise<CertificationRun> {
  return ctx.write(async (inner) => {
    const { run, campaign, lease } = await held(inner, seen);
    const found = await candidates(inner, run, campaign);
    const known = found.rows.map((row) => inner.derived(accessAssignments, row));
    const live = known.filter((one) => isConcerned(one, campaign));
    const looked = await lookAtAll(inner, live);
    const chosen = live.flatMap((one) => {
      const seenNow = looked(one);
      return isWithin(campaign.scope, one, seenNow, inner.request.nowMs) ? [itemOf(campaign, one, seenNow)] : [];
    });
    await inner.insertMany(certificationItems, chosen, { event: false });
    const items = run.items + chosen.filter(({ status }) => status === "pending").length;
    if (found.next) return goOn(inner, run, { items, cursor: cursorOf(found), dueAt: lease });
    return items === 0 ? skip(inner, campaign, run) : schedule(inner, campaign, run, items);
  });
}

async function skip(ctx: Context, campaign: Certification, run: CertificationRun) {
  const options = { ...BY_SYSTEM, reason: "There is nothing to review.", patch: { endedAt: ctx.now } };
  await ctx.transition(certifications, certificationStatus, campaign, { event: "skip" }, options);
  await repeat(ctx, campaign);
  return goOn(ctx, run, { phase: "over", cursor: null, dueAt: null });
}

async function schedule(ctx: Context, campaign: Certification, run: CertificationRun, items: number) {
  await ctx.transition(certifications, certificationStatus, campaign, { event: "schedule" }, BY_SYSTEM);
  return goOn(ctx, run, { phase: "waiting", items, cursor: null, dueAt: campaign.startAt });
}

/** The next assignments that a scope may be about: those that it names, or a page by the narrowest index. */
async function candidates(
  ctx: Context,
  run: CertificationRun,
  { scope, createdAt, startAt }: Certification,
): Promise<Found<AccessAssignment>> {
  const through = later(createdAt, startAt);
  if (scope.assignmentIds) {
    const named = await ctx.db.getMany(accessAssignments, [...new Set(scope.assignmentIds)]);
    return { rows: named.filter(({ value }) => value.createdAt <= through) };
  }
  return ctx.db.find(accessAssignments, {
    ...{ where: narrowest(scope), ...fromCursor(run, BATCH), range: { through } },
  });
}

function narrowest({ assetIds, connectorInstanceIds }: CertificationScope): Filters {
  if (assetIds) return { assetId: assetIds };
  return connectorInstanceIds ? { liveOf: connectorInstanceIds } : {};
}

const isConcerned = ({ status }: AccessAssignment, { kind }: Certification) =>
  status === "active" || kind === "emergency_review";

type Selector = CertificationScope["exclude"][number];

const isIn = (ids: readonly string[] | undefined, id: string) => ids === undefined || ids.includes(id);

function matches(
  { assignmentIds, assetIds, connectorInstanceIds, profileIds }: Omit<Selector, "reason">,
  one: AccessAssignment,
): boolean {
  return (
    isIn(assignmentIds, one.id) &&
    isIn(assetIds, one.assetId) &&
    isIn(connectorInstanceIds, one.connectorInstanceId) &&
    isIn(profileIds, one.accessProfileId)
  );
}

function isWithin(scope: CertificationScope, one: AccessAssignment, { snapshot }: Looked, nowMs: number): boolean {
  const { riskAtLeast, unusedDays, driftOpen, conflictsOnly, includePermanent } = scope;
  return (
    matches(scope, one) &&
    (riskAtLeast === undefined || isOfRisk(one.riskLevel, riskAtLeast)) &&
    (unusedDays === undefined || isUnusedFor(one, snapshot, unusedDays, nowMs)) &&
    (driftOpen === undefined || snapshot.openDrift === null || driftOpen === snapshot.openDrift > 0) &&
    (!conflictsOnly || snapshot.conflicts?.length !== 0) &&
    (includePermanent || !one.isPermanent)
  );
}

type Draft = Omit<CertificationItem, "id" | "version" | "createdAt" | "createdBy" | "updatedAt" | "updatedBy">;

function itemOf(campaign: Certification, one: AccessAssignment, looked: Looked): Draft {
  const excluded = campaign.scope.exclude.find((selector) => matches(selector, one));
  return {
    ...{ name: one.name, status: excluded ? "excluded" : "pending", certificationId: campaign.id },
    ...{ assignmentId: one.id, assetId: one.assetId, connectorInstanceId: one.connectorInstanceId },
    ...looked,
    ...{ snapshotVersion: 1, stage: 0, panelId: null, reviewers: [], delegations: [], dueAt: null },
    ...{ decisions: [], outcome: null, silent: false, decidedAt: null },
    outlivesAccess: campaign.kind === "emergency_review",
    note: excluded?.reason ?? null,
  };
}
