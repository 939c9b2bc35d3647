import type { AccessAssignment } from "#families/access-grants/index.js";
import { inChunks } from "#kernel/async/in-chunks.js";
import { canonical } from "#kernel/events/canonical.js";
import type { Context } from "#kernel/operation/context.js";
import { nameOf } from "#kernel/records/cut-text.js";
import { sha256 } from "#store/chain.js";
import { accessDriftStatus } from "./machine.js";
import { REMEDIES, repairsFor, severityOf } from "./rules.js";
import { type AccessDrift, accessDrift, type Difference, type DriftKind, driftKey } from "./schema.js";

/** A difference that a look has found. */
export interface DriftObservation
  extends Pick<
    AccessDrift,
    | "kind"
    | "connectorInstanceId"
    | "assetId"
    | "assignmentId"
    | "resourceId"
    | "resource"
    | "accessProfileId"
    | "profileExternalId"
    | "principal"
    | "parameters"
    | "grantKey"
    | "immutable"
    | "diff"
  > {
  readonly privilegeLevel: number | null;
  /** The look needs no second one. */
  readonly certain: boolean;
}

/** What looks: a scan, or somebody who has the target asked. */
export interface Looker {
  readonly scanId: string | null;
  readonly detectedBy: AccessDrift["detectedBy"];
}

/** A difference of an assignment. */
export const observationOf = (
  one: AccessAssignment,
  kind: DriftKind,
  { diff = [], certain = false }: { readonly diff?: readonly Difference[]; readonly certain?: boolean } = {},
): DriftObservation => ({
  ...{ kind, connectorInstanceId: one.connectorInstanceId, assetId: one.assetId, assignmentId: one.id },
  ...{ resourceId: one.resourceId, resource: one.resource, accessProfileId: one.accessProfileId },
  ...{ profileExternalId: one.profileExternalId, principal: one.principal, parameters: one.parameters },
  ...{ grantKey: one.grantKey, immutable: false, diff: [...diff], privilegeLevel: one.privilegeLevel, certain },
});

/**
 * Stores what a look has found, with two queries for all of it. What is known already is seen again; what was over
 * comes back; what is let be comes back when it has changed. Returns the records.
 */
export async function noteDrift(
  ctx: Context,
  observations: readonly DriftObservation[],
  looker: Looker,
): Promise<AccessDrift[]> {
  const distinct = [
    ...new Map(observations.map((one) => [`${one.connectorInstanceId} ${driftKey(one)}`, one])).values(),
  ];
  if (distinct.length === 0) return [];
  const keys = distinct.map((one) => ({ connectorInstanceId: one.connectorInstanceId, subject: driftKey(one) }));
  const known = await inChunks(keys, (some) => ctx.db.lookupMany(accessDrift, "subject", some));
  const noted: AccessDrift[] = [];
  for (const [at, one] of distinct.entries()) {
    const row = known[at];
    const before = row && (await ctx.current(accessDrift, row));
    noted.push(
      before ? await seeAgain(ctx, before, one, looker) : await ctx.insert(accessDrift, draftOf(ctx, one, looker)),
    );
  }
  return noted;
}

const fingerprintOf = ({ diff, parameters, immutable }: DriftObservation) =>
  sha256(canonical([diff, parameters, immutable]));

function shown(observation: DriftObservation) {
  const { privilegeLevel, certain: _certain, ...reported } = observation;
  const { advice } = REMEDIES[observation.kind];
  return {
    ...reported,
    severity: severityOf(observation.kind, privilegeLevel),
    fingerprint: fingerprintOf(observation),
    repairs: repairsFor(observation),
    advice: observation.immutable
      ? "The target does not let it be changed: change it there, where it comes from."
      : advice,
  };
}

function draftOf(ctx: Context, observation: DriftObservation, { scanId, detectedBy }: Looker) {
  const { kind, principal, profileExternalId } = observation;
  const who = principal.displayName ?? principal.externalId;
  return {
    ...shown(observation),
    name: nameOf(`${kind.replaceAll("_", " ")}: ${profileExternalId} of ${who}`),
    status: observation.certain ? ("open" as const) : ("suspected" as const),
    metadata: {},
    ...{
      suspectedAt: ctx.now,
      confirmedAt: observation.certain ? ctx.now : null,
      lastSeenAt: ctx.now,
      scanId,
      detectedBy,
    },
    ...{ recurrence: 1, acceptedUntil: null, decidedBy: null, endedAt: null, followUpId: null, repairedAt: null },
  };
}

async function seeAgain(
  ctx: Context,
  before: AccessDrift,
  observation: DriftObservation,
  { scanId }: Looker,
): Promise<AccessDrift> {
  const isNewLook = scanId === null || before.scanId !== scanId;
  const recurrence = before.recurrence + (isNewLook ? 1 : 0);
  const patch = { ...shown(observation), lastSeenAt: ctx.now, scanId: scanId ?? before.scanId, recurrence };
  const move = (event: "recur" | "reopen" | "change" | "confirm", more: Partial<AccessDrift> = {}) =>
    ctx.transition(
      accessDrift,
      accessDriftStatus,
      before,
      { event },
      {
        triggeredBy: "connector",
        patch: { ...patch, ...more },
      },
    );
  const confirmedAt = ctx.now;
  const isSame = patch.fingerprint === before.fingerprint;
  // The target itself has said that this means nothing.
  const isRefuted = before.status === "dismissed" && isSame && observation.diff.length > 0;
  if (isRefuted && !observation.certain) return ctx.update(accessDrift, before, patch, { event: false, stamp: false });
  if (before.status === "resolved" || before.status === "dismissed") {
    const again = { suspectedAt: ctx.now, endedAt: null, decidedBy: null, acceptedUntil: null };
    if (observation.certain) return move("reopen", { ...again, confirmedAt });
    return move("recur", { ...again, confirmedAt: null, recurrence: 1 });
  }
  const isLetBe = before.status === "accepted" || before.status === "suppressed";
  if (isLetBe && !isSame) return move("change", { acceptedUntil: null, decidedBy: null });
  if (before.status === "suspected" && observation.certain) return move("confirm", { confirmedAt });
  return ctx.update(accessDrift, before, patch, { event: false, stamp: false });
}

/** Ends a difference that is not there any more. */
export function endDrift(ctx: Context, one: AccessDrift): Promise<AccessDrift> {
  const event = one.status === "suspected" ? "dismiss" : "resolve";
  const options = { triggeredBy: "connector", patch: { endedAt: ctx.now } } as const;
  return ctx.transition(accessDrift, accessDriftStatus, one, { event }, options);
}

/** A second look confirms what was suspected. */
export function confirmDrift(ctx: Context, one: AccessDrift): Promise<AccessDrift> {
  const options = { triggeredBy: "connector", patch: { confirmedAt: ctx.now } } as const;
  return ctx.transition(accessDrift, accessDriftStatus, one, { event: "confirm" }, options);
}
