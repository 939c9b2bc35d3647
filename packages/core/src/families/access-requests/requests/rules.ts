import { canonical } from "#kernel/events/canonical.js";
import { millisecondsOf } from "#kernel/records/duration.js";
import { timestamp } from "#ports/clock.js";
import { sha256 } from "#store/chain.js";
import type { AccessRequest, ConflictExemption, Narrowing, RequestItem, RequestStage, Vote } from "./schema.js";

type Scope = Pick<
  AccessRequest,
  | "type"
  | "assetId"
  | "identityId"
  | "assignmentId"
  | "assignmentHash"
  | "emergency"
  | "duration"
  | "expiresAt"
  | "isPermanent"
  | "notBefore"
> & { readonly items: readonly Pick<RequestItem, "key" | "grantKey" | "accessProfileId" | "definitionHash">[] };

/** Hash of what people decide about. Nothing that only shows how far it is is part of it. */
export function requestScopeHash(request: Scope): string {
  const { type, assetId, identityId, assignmentId, assignmentHash, emergency, items } = request;
  const { duration, expiresAt, isPermanent, notBefore } = request;
  const wanted = items.map(({ key, grantKey, accessProfileId, definitionHash }) => [
    key,
    grantKey,
    accessProfileId,
    definitionHash,
  ]);
  const scope = [
    type,
    assetId,
    identityId,
    assignmentId,
    assignmentHash,
    emergency,
    wanted,
    duration,
    expiresAt,
    isPermanent,
    notBefore,
  ];
  return sha256(canonical(scope));
}

/** The approvals of a stage that count, one for each person, and each person once over all stages. */
export function approvalsOf(votes: readonly Vote[], stage: number): Vote[] {
  const spent = new Set<string>();
  const counted: Vote[] = [];
  for (const vote of votes) {
    if (vote.stale || vote.decision !== "approve" || spent.has(vote.by)) continue;
    spent.add(vote.by);
    if (vote.stage === stage) counted.push(vote);
  }
  return counted;
}

/** How many approvals a stage takes. A stage that nobody may decide takes one. */
export function neededFor({ mode, approveThreshold, candidates }: RequestStage): number {
  if (mode === "quorum") return approveThreshold ?? 1;
  return mode === "all" ? Math.max(1, candidates.length) : 1;
}

/** Whether a stage has fewer people than it needs. */
export function isShort(stage: RequestStage): boolean {
  return stage.candidates.length < neededFor(stage);
}

/** The conflicts that are permitted at a moment: each until its end, and only while the approval counts that it came with. */
export function exemptionsInForce(
  { exemptions, votes }: Pick<AccessRequest, "exemptions" | "votes">,
  now: string,
): ConflictExemption[] {
  return exemptions.filter(
    ({ by, at, expiresAt }) =>
      expiresAt > now &&
      votes.some((vote) => vote.by === by && vote.at === at && vote.decision === "approve" && !vote.stale),
  );
}

type Bounds = Pick<AccessRequest, "duration" | "expiresAt" | "isPermanent">;

const shorter = (one: string | null, other: string | null): string | null =>
  one === null || other === null ? (one ?? other) : millisecondsOf(one) <= millisecondsOf(other) ? one : other;

export const earlier = (one: string | null, other: string | null): string | null =>
  one === null || other === null ? (one ?? other) : one <= other ? one : other;

/** How long access was approved for: what was asked, narrowed by everybody who has narrowed it. */
export function approvedBounds(
  asked: Bounds,
  narrowed: readonly Pick<Narrowing, "duration" | "expiresAt">[],
  ends: readonly string[],
): Bounds {
  let { duration, expiresAt } = asked;
  for (const one of narrowed) {
    duration = shorter(duration, one.duration);
    expiresAt = earlier(expiresAt, one.expiresAt);
  }
  for (const end of ends) expiresAt = earlier(expiresAt, end);
  return { duration, expiresAt, isPermanent: asked.isPermanent && duration === null && expiresAt === null };
}

/** The same for access that begins at a moment, as exactly one of the three. */
export function boundsFrom({ duration, expiresAt, isPermanent }: Bounds, beginMs: number): Bounds {
  if (duration === null || expiresAt === null) return { duration, expiresAt, isPermanent };
  const isLonger = timestamp(beginMs + millisecondsOf(duration)) > expiresAt;
  return isLonger ? { duration: null, expiresAt, isPermanent } : { duration, expiresAt: null, isPermanent };
}

/** The parameters of an item as they were approved. Each narrowing was within the one before. */
export function approvedParameters(item: RequestItem, votes: readonly Vote[]): RequestItem["parameters"] {
  const narrowed = votes.filter(({ stale, decision }) => !stale && decision === "approve");
  return narrowed.reduce((now, { narrowed: by }) => by?.parameters[item.key] ?? now, item.parameters);
}
