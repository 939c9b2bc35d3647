import { NO_TRAIL } from "#connectors/index.js";
import type { AccessTarget } from "#families/access/index.js";
import type { AccessSync, SyncRun, TypeProgress } from "./schema.js";

type Numbers = { readonly [Name in keyof TypeProgress as TypeProgress[Name] extends number ? Name : never]?: number };

/** The progress of a sync in which one type has come further. */
export function withProgress(
  { perType }: Pick<AccessSync, "perType">,
  at: number,
  more: Numbers,
  listing: Partial<Pick<TypeProgress, "complete" | "incompleteBecause" | "leftOut">> = {},
): TypeProgress[] {
  return perType.map((progress, index) => {
    if (index !== at) return progress;
    const next = { ...progress, ...listing };
    for (const name of Object.keys(more) as (keyof Numbers)[]) next[name] += more[name] ?? 0;
    return next;
  });
}

/** Where a sync goes on after a phase of its present type. What was accepted is accepted for one type. */
export function nextPhase(
  { phase, type, profilesWhole, accepted }: Pick<SyncRun, "phase" | "type" | "profilesWhole" | "accepted">,
  { complete }: Pick<TypeProgress, "complete">,
): Pick<SyncRun, "phase" | "type" | "cursor" | "trail" | "resource" | "profilesWhole" | "accepted"> {
  const start = { type, cursor: null, trail: NO_TRAIL, resource: null, profilesWhole, accepted };
  if (phase === "resources") return { ...start, phase: complete ? "counting" : "profiles" };
  if (phase === "counting") return { ...start, phase: "missing" };
  if (phase === "missing") return { ...start, phase: "profiles" };
  if (phase === "profiles") return { ...start, phase: "withdrawn" };
  return { ...start, phase: "resources", type: type + 1, profilesWhole: true, accepted: false };
}

type Seen = { readonly lastSyncId: string; readonly lastSeenAt: string };

/** Whether neither a sync nor a later one has seen a record. */
export const isUnseen = ({ lastSyncId, lastSeenAt }: Seen, { id, startedAt }: Pick<AccessSync, "id" | "startedAt">) =>
  lastSyncId !== id && lastSeenAt < startedAt;

/** How a sync stands, as its target shows it. */
export const syncStatusOf = ({ status }: Pick<AccessSync, "status">): AccessTarget["syncStatus"] =>
  status === "anomalous" ? "paused_anomaly" : status;
