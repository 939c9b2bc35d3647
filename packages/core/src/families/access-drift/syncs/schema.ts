import { FAILURE, IncompleteBecause, LeftOutOfListing, StoredTrail } from "#families/connectors/index.js";
import { defineCollection } from "#kernel/records/collection.js";
import { Attributes } from "#kernel/records/generic-body.js";
import { statesOf } from "#kernel/records/machine.js";
import { recordShape, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { accessSyncStatus } from "./machine.js";

const Count = z.int().min(0);
const described = (description: string) => Count.meta({ description });

/** How far a sync has come with one type of resources. */
export const TypeProgress = z.object({
  resourceType: z.string().meta({ description: "The type of the resources." }),
  pages: described("Pages that were read."),
  seen: described("Resources that were listed."),
  created: described("Resources that are new."),
  changed: described("Resources that the target describes otherwise now."),
  restored: described("Resources that were missing and are back."),
  rejected: described("Entries that cannot be used."),
  known: described("Resources that counted as there before."),
  missing: described("Resources that the complete listing lacks for the first time."),
  retired: described("Resources that it lacks again, and that have ended."),
  profiles: described("Access profiles that were listed."),
  profilesChanged: described("Profiles that are new, mean something else or are gone."),
  complete: z.boolean().meta({ description: "The listing of resources was read to its end and left nothing out." }),
  incompleteBecause: IncompleteBecause,
  leftOut: LeftOutOfListing,
});
export type TypeProgress = z.output<typeof TypeProgress>;

export const NO_PROGRESS: Omit<TypeProgress, "resourceType"> = {
  ...{ pages: 0, seen: 0, created: 0, changed: 0, restored: 0, rejected: 0, known: 0, missing: 0, retired: 0 },
  ...{ profiles: 0, profilesChanged: 0, complete: false },
  ...{ incompleteBecause: [], leftOut: [] },
};

/** A reading of a target, as it is stored and served. */
export const AccessSync = z
  .object({
    ...recordShape(z.enum(statesOf(accessSyncStatus))),
    connectorInstanceId: z.string().meta({ description: "Id of the connection to the target." }),
    perType: z.array(TypeProgress).meta({ description: "How far it has come, by type of resources." }),
    anomaly: z
      .object({
        resourceType: z.string().meta({ description: "The type of the resources." }),
        missing: described("Resources that the listing lacks."),
        recent: described("Those that other syncs of the last hour lacked."),
        known: described("Resources that counted as there before."),
      })
      .nullable()
      .meta({ description: "Why the circuit breaker stopped it." }),
    failure: z.object(FAILURE).nullable().meta({ description: "Why it failed." }),
    acceptedBy: z.string().nullable().meta({ description: "Id of who accepted what is missing." }),
    startedAt: Time.meta({ description: "When it was begun." }),
    endedAt: Time.nullable().meta({ description: "When it ended." }),
    followedAt: Time.nullable().meta({ description: "When the next one was begun; `null` for the last one." }),
    attributes: Attributes,
  })
  .meta({ id: "AccessSync" });
export type AccessSync = z.output<typeof AccessSync>;

/** Properties of a sync that no body sets: a body may repeat them but not change them. */
export const SYNC_READ_ONLY: readonly string[] = Object.keys(
  AccessSync.omit({ name: true, status: true, metadata: true, attributes: true }).shape,
);

/** Readings of targets. One at a time is under way for a target. */
export const accessSyncs = defineCollection<AccessSync>({
  name: "access_syncs",
  prefix: "asy",
  schema: AccessSync,
  resource: {
    type: "access_sync",
    event: "access.sync",
    path: "/api/v1/access-syncs",
    alsoAt: ["/api/v1/access-targets/{connectorInstanceId}/syncs"],
    readBy: ["access:read"],
  },
  machines: { status: accessSyncStatus },
  related: ({ connectorInstanceId }) => [connectorInstanceId],
  fields: {
    status: { type: "text" },
    connectorInstanceId: { type: "text" },
    runningFor: {
      type: "text",
      compare: "exact",
      of: ({ status, connectorInstanceId }) => (status === "running" ? connectorInstanceId : null),
    },
    followedAt: { type: "time" },
  },
  unique: { running: ["runningFor"] },
  indexes: [{ where: ["connectorInstanceId"] }, { where: [], by: "followedAt", partial: true }],
  filters: { status: { values: statesOf(accessSyncStatus) } },
});

/** Steps of a sync for each type, in order. */
export const PHASES = ["resources", "counting", "missing", "profiles", "withdrawn"] as const;

const SyncRun = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  syncId: z.string(),
  phase: z.enum(PHASES),
  /** Which of the types. */
  type: z.int().min(0),
  /** Where the phase goes on. */
  cursor: z.string().nullable(),
  /** The way through the listing so far. Syncs that an older version has begun have none. */
  trail: StoredTrail.optional(),
  /** The resource whose own profiles are read, with the place in the list of resources. */
  resource: z.string().nullable(),
  /** Every listing of profiles so far was whole. */
  profilesWhole: z.boolean(),
  /** Somebody has accepted what is missing. */
  accepted: z.boolean(),
  /** Failed attempts in a row. */
  attempts: z.int(),
  /** When it is to go on, or the lease of the process that works on it ends. */
  dueAt: Time.nullable(),
});
export type SyncRun = z.output<typeof SyncRun>;

/** How far syncs have come, apart from the records that the API serves. */
export const accessSyncRuns = defineCollection<SyncRun>({
  name: "access_sync_runs",
  prefix: "asr",
  schema: SyncRun,
  fields: { syncId: { type: "text", compare: "exact" }, dueAt: { type: "time" } },
  unique: { sync: ["syncId"] },
  indexes: [{ where: [], by: "dueAt", partial: true }],
  secrets: [],
});
