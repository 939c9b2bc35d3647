import { accessProfiles } from "#families/access/index.js";
import { type AccessAssignment, accessAssignments, planChange } from "#families/access-grants/index.js";
import { subjectOf } from "#kernel/events/record-events.js";
import { invalidProperty, ReeveError } from "#kernel/http/errors.js";
import { type Context, requireReason } from "#kernel/operation/context.js";
import { defineFourEyes, requireFourEyes } from "#kernel/operation/four-eyes.js";
import { transitionRefused } from "#kernel/records/machine.js";
import { factsOf } from "../certification-facts.js";
import { after } from "../create/body.js";
import type { CertificationStage } from "../fields.js";
import { certificationItemStatus } from "../items/machine.js";
import { type CertificationDecision, type CertificationItem, certificationItems } from "../items/schema.js";
import { involvedInAccess } from "../reviewers/involved-in-access.js";
import { outcomeOf, standing, takesReason, undecidedStandings } from "../rules.js";
import type { Certification } from "../schema.js";
import { scopeHashOf } from "../take-snapshot.js";
import { wake } from "../work/continue.js";
import type { ItemReview } from "./body.js";

export const decideAboutAccess = defineFourEyes(
  "accessCertificationItem: decide",
  "Deciding about access in a certification",
);

export interface Vote extends Omit<ItemReview, "decision" | "delegateTo"> {
  readonly decision: CertificationDecision["decision"];
}

/**
 * Stores what a reviewer decides, and what the decisions come to. 409 when the access is not what was looked at, 403
 * for those whose access it is, who asked for it or who approved it alone.
 */
export async function vote(ctx: Context, campaign: Certification, item: CertificationItem, given: Vote) {
  requireOpen(ctx, campaign, item, given);
  requireSeen(item, given);
  const reason = takesReason(given.decision, item.snapshot) ? requireReason(given.reason) : (given.reason ?? null);
  const assignment = await ctx.getOrThrow(accessAssignments, item.assignmentId);
  await requireSame(ctx, item, assignment);
  const modification = await modificationOf(ctx, assignment, given);
  const relatedParty = await requireIndependence(ctx, item, assignment);
  const { stage, snapshotVersion } = item;
  const validUntil = given.decision === "certify" ? validityOf(ctx, given) : null;
  const decision = {
    ...{ by: ctx.principal.userId, at: ctx.now, decision: given.decision, reason, stage, snapshotVersion },
    ...{ validUntil, modification, relatedParty },
  };
  return decided(ctx, campaign, item, [...withoutOwn(ctx, item), decision], reason ?? undefined);
}

/** Takes the caller's own decision back. After the close the access is kept, unless others deny it. */
export async function undo(ctx: Context, campaign: Certification, item: CertificationItem, reason: string | undefined) {
  requireOpen(ctx, campaign, item, { decision: "certify" });
  const decisions = withoutOwn(ctx, item);
  if (decisions.length === item.decisions.length)
    throw transitionRefused("You have not decided it, or not as it is now.", { current: item.status });
  if (campaign.status === "active" || comesTo(campaign, item, decisions) !== null)
    return decided(ctx, campaign, item, decisions, reason);
  const patch = { decisions, outcome: null, decidedAt: null };
  return ctx.transition(certificationItems, certificationItemStatus, item, { event: "withdraw" }, { reason, patch });
}

/** The decisions of an item without that of the caller which counts now. */
function withoutOwn({ principal: { userId } }: Context, item: CertificationItem): CertificationDecision[] {
  const own = standing(item, item.decisions).filter(({ by }) => by === userId);
  return item.decisions.filter((one) => !own.includes(one));
}

/** What decisions about an item come to; `null` while they come to nothing. */
function comesTo(campaign: Certification, item: CertificationItem, decisions: readonly CertificationDecision[]) {
  const stage = campaign.stages[item.stage] as CertificationStage;
  const strategy = campaign.escalated ? "one_accepts" : stage.strategy;
  const panel = { panel: item.reviewers.length, isOver: campaign.status !== "active" };
  return outcomeOf(standing(item, decisions), { strategy, quorum: stage.quorum, ...panel }) ?? null;
}

async function decided(
  ctx: Context,
  campaign: Certification,
  item: CertificationItem,
  decisions: CertificationDecision[],
  reason: string | undefined,
): Promise<CertificationItem> {
  const outcome = comesTo(campaign, item, decisions);
  const stored = await store(ctx, item, { decisions, outcome }, reason);
  await goOnAfter(ctx, campaign, stored);
  return stored;
}

function store(
  ctx: Context,
  item: CertificationItem,
  { decisions, outcome }: Pick<CertificationItem, "decisions" | "outcome">,
  reason: string | undefined,
): Promise<CertificationItem> {
  if (item.status === "pending" && outcome === null) {
    const own = standing(item, decisions).find(({ by }) => by === ctx.principal.userId);
    const event = { type: "access.certification_item.voted", data: { decision: own ?? null } };
    return ctx.update(certificationItems, item, { decisions }, { event });
  }
  const event = item.status === "pending" ? "decide" : outcome === null ? "undo" : "change";
  const decidedAt = outcome === null ? null : outcome === item.outcome ? item.decidedAt : ctx.now;
  const patch = { decisions, outcome, decidedAt };
  return ctx.transition(certificationItems, certificationItemStatus, item, { event }, { reason, patch });
}

/** Has the jobs of a campaign go on when all is decided, or when something may be carried out. */
async function goOnAfter(ctx: Context, campaign: Certification, item: CertificationItem): Promise<void> {
  if (campaign.status !== "active") return;
  const where = { standing: undecidedStandings(campaign.id) };
  if ((await ctx.db.count(certificationItems, { where })).count === 0) return wake(ctx, campaign.id);
  const { mode, undoWindow } = campaign.remediation;
  if (mode === "immediate" && item.decidedAt !== null) await wake(ctx, campaign.id, after(item.decidedAt, undoWindow));
}

/** After a close decisions can be changed towards keeping access only, until they are carried out. */
function requireOpen(
  { now }: Context,
  { status }: Certification,
  item: CertificationItem,
  { decision }: Pick<Vote, "decision">,
): void {
  if (item.status === "stale")
    throw new ReeveError("plan_changed", "The access has changed. It is being looked at again.");
  const isOpen = item.status === "pending" || item.status === "decided";
  const isInTime = item.dueAt !== null && now < item.dueAt;
  if (status === "active" && isOpen && isInTime) return;
  const mayKeep = status === "awaiting_confirmation" || status === "remediating";
  if (mayKeep && item.status === "decided" && decision === "certify") return;
  const why = status === "active" && isOpen ? "The time to decide it is over." : `It is ${item.status}.`;
  throw transitionRefused(`${why} The campaign is ${status}.`, { current: item.status });
}

/** A decision names the snapshot that it is about. */
function requireSeen({ snapshotVersion }: CertificationItem, { expectedSnapshotVersion: seen }: Vote): void {
  if (seen === undefined) throw invalidProperty("/expectedSnapshotVersion", "Name the snapshot that you have seen.");
  if (seen === snapshotVersion) return;
  throw new ReeveError("precondition_failed", undefined, { members: { current: snapshotVersion } });
}

async function requireSame(ctx: Context, { snapshot }: CertificationItem, one: AccessAssignment): Promise<void> {
  const profile = (await ctx.db.get(accessProfiles, one.accessProfileId))?.value;
  const isSame =
    scopeHashOf(one) === snapshot.scopeHash && (profile?.definitionHash ?? null) === snapshot.definitionHash;
  if (!isSame) throw new ReeveError("plan_changed", "The access has changed. It is being looked at again.");
}

async function modificationOf(ctx: Context, one: AccessAssignment, given: Vote) {
  const { decision, expiresAt, accessProfileId, parameters } = given;
  if (decision !== "modify") return null;
  const wanted = {
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(accessProfileId === undefined ? {} : { accessProfileId }),
    ...(parameters === undefined ? {} : { parameters }),
  };
  if (Object.keys(wanted).length === 0) throw invalidProperty("/decision", "Say what is narrowed.");
  const { isNarrower } = await planChange(ctx, one, wanted);
  if (!isNarrower) throw new ReeveError("transition_guard_failed", "It would permit more. That needs a request.");
  return wanted;
}

function validityOf({ now }: Context, { expiresAt }: Vote): string | null {
  if (expiresAt !== undefined && expiresAt <= now) throw invalidProperty("/expiresAt", "To end it now, revoke it.");
  return expiresAt ?? null;
}

async function requireIndependence(ctx: Context, item: CertificationItem, one: AccessAssignment): Promise<boolean> {
  const facts = await factsOf(ctx, [one]);
  return requireFourEyes(ctx, {
    act: decideAboutAccess.act,
    subject: subjectOf(certificationItems, item.id),
    name: item.name,
    involved: { ids: involvedInAccess(one, facts(one)), beyond: 0 },
    related: certificationItems.related?.(item) ?? [],
  });
}
