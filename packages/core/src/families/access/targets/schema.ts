import { ENVIRONMENTS } from "#families/estate/index.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

export const SYNC_STATES = [
  "never",
  "running",
  "complete",
  "partial",
  "failed",
  "cancelled",
  "paused_anomaly",
] as const;

/** Why nothing can be requested at a target. */
export const NOT_REQUESTABLE = [
  ...["kill_switch", "not_active", "observe_mode", "unhealthy", "no_grant_capability", "never_synced"],
  ...["asset_denied", "no_profile"],
] as const;
export type NotRequestable = (typeof NOT_REQUESTABLE)[number];

/** A connection as a target of access. */
export const AccessTarget = z
  .object({
    connectorInstanceId: z.string().meta({ description: "Id of the connection, which is that of the target." }),
    name: z.string().meta({ description: "Name of the connection." }),
    providerKey: z.string().meta({ description: "Which connector it is of." }),
    environment: z.enum(ENVIRONMENTS).meta({ description: "What the system is used for." }),
    ownerIds: z.array(z.string()).meta({ description: "Ids of the users who answer for it." }),
    governanceMode: z.enum(["observe", "managed"]).meta({ description: "`observe`: access there is never changed." }),
    capabilities: z.array(z.string()).meta({ description: "What its connector can do." }),
    health: z.string().meta({ description: "How it works." }),
    syncStatus: z.enum(SYNC_STATES).meta({ description: "How its last sync ended, or that one is under way." }),
    lastSyncAt: Time.nullable().meta({ description: "When its last sync was begun." }),
    nextSyncAt: Time.nullable().meta({ description: "When the next begins by itself; `null` for none." }),
    nextDriftScanAt: Time.nullable().meta({ description: "When the next scan for drift does; `null` for none." }),
    staleAfterSeconds: z.int().nullable().meta({
      description: "Age of the last sync from which this is old: two intervals; `null` when nothing is scheduled.",
    }),
    resourceCounts: z.record(z.string(), z.int()).meta({ description: "Active resources by type." }),
    assignmentCount: z.int().meta({ description: "Assignments there that are not over." }),
    openDrift: z.int().nullable().meta({
      description: "Differences there that are open; `null`: no scan could tell.",
    }),
    requestable: z.boolean().meta({ description: "Whether access there can be requested." }),
    notRequestableReason: z.enum(NOT_REQUESTABLE).nullable().meta({ description: "The reason why not, as a code." }),
  })
  .meta({ id: "AccessTarget" });
export type AccessTarget = z.output<typeof AccessTarget>;

/** A target as an asset sees it. */
export const AvailableAccessTarget = AccessTarget.extend({
  identityIds: z.array(z.string()).meta({ description: "What the asset acts as there." }),
}).meta({ id: "AvailableAccessTarget" });
