import type { Manifest } from "#connectors/index.js";
import { type AccessProfile, withoutNothing } from "#families/access/index.js";
import {
  type AccessAssignment,
  type AccessReconciliation,
  accessAssignments,
  grantKeyOf,
  isEnded,
} from "#families/access-grants/index.js";
import { canonical } from "#kernel/events/canonical.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { timestamp } from "#ports/clock.js";
import { type DriftObservation, observationOf } from "../../drift/note-drift.js";
import { type Comparable, differencesOf, kindOf } from "../../drift/rules.js";
import type { AccessDriftScan } from "../schema.js";
import { type Known, knownGrants, type Strangers, strangersAmong } from "./match.js";
import type { ListedGrant } from "./read.js";

/** What a page of a listing comes to. */
export interface Compared {
  /** Grants that are there or have something else in their place, so that nobody misses them. */
  readonly present: readonly AccessReconciliation[];
  /** Grants that the target shows as they are. */
  readonly shown: readonly AccessReconciliation[];
  readonly observations: readonly DriftObservation[];
  /** Keys of grants that are there although they are being ended. */
  readonly lingering: readonly string[];
  /** Grants of principals that no asset acts as. */
  readonly foreign: number;
}

type Scan = Pick<AccessDriftScan, "connectorInstanceId" | "startedAt">;

const same = (one: unknown, other: unknown) => canonical(withoutNothing(one)) === canonical(withoutNothing(other));

/** Compares a page of grants that a target lists with those that were granted. */
export async function compare(
  ctx: ReadContext,
  scan: Scan,
  expiry: Manifest["expiry"],
  grants: readonly ListedGrant[],
): Promise<Compared> {
  const known = await knownGrants(ctx, scan.connectorInstanceId, grants);
  const [present, shown, observations]: [AccessReconciliation[], AccessReconciliation[], DriftObservation[]] = [
    [],
    [],
    [],
  ];
  const lingering: string[] = [];
  const unmatched: ListedGrant[] = [];
  const over: (readonly [AccessReconciliation, ListedGrant])[] = [];
  for (const grant of grants) {
    const reconciliations = known.reconciliationsOf(grant).filter((reconciliation) => isOf(reconciliation, grant));
    const held = reconciliations.filter(({ grantKey }) => known.holders.has(grantKey));
    present.push(...held);
    shown.push(...reconciliations);
    if (held.length > 0)
      observations.push(...held.flatMap((reconciliation) => differs(grant, reconciliation, known, undefined, expiry)));
    else if (reconciliations.some(isUnderWay))
      lingering.push(...reconciliations.filter(({ wanted }) => wanted === "absent").map(({ grantKey }) => grantKey));
    else {
      const ended = reconciliations.find(
        (reconciliation) => reconciliation.assignmentId !== null && isOver(reconciliation, scan, ctx.now),
      );
      if (ended) over.push([ended, grant]);
      else unmatched.push(grant);
    }
  }
  observations.push(...(await stillThere(ctx, over)));
  if (unmatched.length === 0) return { present, shown, observations, lingering, foreign: 0 };
  const strangers = await strangersAmong(ctx, scan.connectorInstanceId, unmatched);
  let foreign = 0;
  for (const grant of unmatched) {
    const profile = strangers.profileOf(grant);
    const rival = known
      .reconciliationsOf(grant)
      .find((reconciliation) => standsFor(reconciliation, grant, profile, known));
    if (rival) {
      present.push(rival);
      observations.push(...differs(grant, rival, known, profile, expiry));
    } else if (strangers.identitiesOf(grant).length === 0) foreign += 1;
    else observations.push(unmanaged(scan, grant, strangers, profile));
  }
  return { present, shown, observations, lingering, foreign };
}

/** Whether a listed grant is this one. Parameters that are not told are not compared. */
const isOf = ({ profileExternalId, parameters }: AccessReconciliation, grant: ListedGrant) =>
  profileExternalId === grant.profileExternalId &&
  (grant.parameters === undefined || same(parameters, grant.parameters));

/** Whether a grant is being changed, so that what the target lists means nothing yet. */
const isUnderWay = ({ wanted, phase }: AccessReconciliation) => wanted === "present" || phase !== "idle";

/** Whether the target had confirmed the end of a grant before the scan began. */
const isOver = (reconciliation: AccessReconciliation, { startedAt }: Scan, now: string) =>
  isEnded(reconciliation) &&
  (reconciliation.observedAt ?? startedAt) < startedAt &&
  (reconciliation.settledUntil ?? "") <= now;

/** Whether a target has this other access in place of one that was granted. */
function standsFor(
  reconciliation: AccessReconciliation,
  grant: ListedGrant,
  profile: AccessProfile | undefined,
  known: Known,
): boolean {
  const [holder] = known.holders.get(reconciliation.grantKey) ?? [];
  if (!holder || reconciliation.phase !== "idle") return false;
  if (reconciliation.profileExternalId === grant.profileExternalId) return true;
  const granted = known.profiles.get(holder.accessProfileId)?.exclusionGroup ?? null;
  return granted !== null && granted === profile?.exclusionGroup;
}

/** When the longest of some assignments ends; `null` when one never does. */
function endOf(holders: readonly AccessAssignment[]): string | null {
  const ends = holders.map(({ expiresAt }) => expiresAt);
  return ends.includes(null) ? null : (ends.sort().at(-1) ?? null);
}

const isGroup = (type: string) => (type === "group" ? "group" : "individual");

function differs(
  grant: ListedGrant,
  reconciliation: AccessReconciliation,
  known: Known,
  other: AccessProfile | undefined,
  expiry: Manifest["expiry"],
): DriftObservation[] {
  const holders = known.holders.get(reconciliation.grantKey) ?? [];
  const [holder] = holders;
  if (!holder || reconciliation.phase !== "idle") return [];
  const profile = known.profiles.get(holder.accessProfileId);
  const desired: Comparable = {
    ...{
      permissions: profile?.permissions,
      parameters: reconciliation.parameters,
      profileExternalId: reconciliation.profileExternalId,
    },
    ...{ privilegeLevel: holder.privilegeLevel, principalType: isGroup(reconciliation.principal.type) },
    expiresAt: expiry === "native" ? endOf(holders) : undefined,
  };
  const observed: Comparable = {
    ...{ permissions: grant.permissions, parameters: grant.parameters, profileExternalId: grant.profileExternalId },
    ...{ privilegeLevel: other?.privilegeLevel, principalType: isGroup(grant.principal.type) },
    expiresAt: grant.expiresAt == null ? grant.expiresAt : timestamp(grant.expiresAt.getTime()),
  };
  const diff = differencesOf(desired, observed);
  return diff.length === 0 ? [] : [observationOf(holder, kindOf(diff, desired, observed), { diff })];
}

/** A grant as records have it. */
function grantOf(
  { connectorInstanceId }: Scan,
  { resource, profileExternalId, principal, parameters = {} }: ListedGrant,
) {
  const who = { ...principal, displayName: principal.displayName ?? null };
  return { connectorInstanceId, resource, profileExternalId, principal: who, parameters };
}

async function stillThere(
  ctx: ReadContext,
  over: readonly (readonly [AccessReconciliation, ListedGrant])[],
): Promise<DriftObservation[]> {
  const ids = [...new Set(over.flatMap(([{ assignmentId }]) => assignmentId ?? []))];
  const ended = new Map((await ctx.db.getMany(accessAssignments, ids)).map(({ id, value }) => [id, value]));
  return over.flatMap(([{ assignmentId }, { immutable = false }]) => {
    const one = ended.get(assignmentId ?? "");
    return one ? [{ ...observationOf(one, "ended_still_present"), immutable }] : [];
  });
}

function unmanaged(
  scan: Scan,
  grant: ListedGrant,
  { identitiesOf, resourceOf }: Strangers,
  profile: AccessProfile | undefined,
): DriftObservation {
  const granted = grantOf(scan, grant);
  const [identity, another] = identitiesOf(grant);
  return {
    kind: "unmanaged_in_target",
    ...granted,
    ...{ grantKey: grantKeyOf(granted), assignmentId: null },
    assetId: another ? null : (identity?.assetId ?? null),
    ...{ resourceId: resourceOf(grant)?.id ?? null, accessProfileId: profile?.id ?? null },
    ...{ immutable: grant.immutable ?? false, diff: [] },
    ...{ privilegeLevel: profile?.privilegeLevel ?? null, certain: false },
  };
}
