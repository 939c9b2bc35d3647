import { FAILURE, IncompleteBecause, LeftOutOfListing, StoredTrail } from "#families/connectors/index.js";
import { defineCollection } from "#kernel/records/collection.js";
import { Attributes } from "#kernel/records/generic-body.js";
import { statesOf } from "#kernel/records/machine.js";
import { recordShape, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { KINDS } from "../drift/schema.js";
import { driftScanStatus } from "./machine.js";

const Count = z.int().min(0);
const described = (description: string) => Count.meta({ description });

/** How a scan looks at a target. */
export const COVERAGES = ["listing", "verify", "none"] as const;
export type Coverage = (typeof COVERAGES)[number];

export const NOTHING_YET = {
  ...{ pages: 0, listed: 0, rejected: 0, foreign: 0, known: 0, missing: 0 },
  ...{ found: 0, confirmed: 0, dismissed: 0, resolved: 0, unanswered: 0, unknown: 0 },
};

/** A comparison of a target with what was granted, as it is stored and served. */
export const AccessDriftScan = z
  .object({
    ...recordShape(z.enum(statesOf(driftScanStatus))),
    connectorInstanceId: z.string().meta({ description: "Id of the connection to the target." }),
    coverage: z.enum(COVERAGES).meta({
      description:
        "How it looks: by a listing of all grants, grant by grant, or not at all, because its connector cannot tell.",
    }),
    kinds: z.array(z.enum(KINDS)).meta({ description: "What it can find. Other drift it says nothing about." }),
    complete: z
      .boolean()
      .meta({ description: "The listing was read to its end and left nothing out, as far as anything shows." }),
    incompleteBecause: IncompleteBecause,
    leftOut: LeftOutOfListing,
    credentialsComplete: z.boolean().nullable().meta({
      description:
        "Credentials were listed to the end; `null`: none were, because the connector lists none or is not there yet.",
    }),
    counts: z
      .object({
        pages: described("Pages that were read."),
        listed: described("Grants that were listed."),
        rejected: described("Entries that cannot be used."),
        foreign: described("Grants of principals that no asset acts as."),
        known: described("Grants that should be there."),
        missing: described("Those of them that the listing lacks."),
        found: described("Differences that were seen."),
        confirmed: described("Suspected ones that a second look confirmed."),
        dismissed: described("Suspected ones that it did not."),
        resolved: described("Differences that are not there any more."),
        unanswered: described("Grants that the target could not be asked for."),
        unknown: described("Grants that the target took and does not show, so that its listing says little."),
      })
      .meta({ description: "How far it has come." }),
    anomaly: z
      .object({
        missing: described("Grants that the listing lacks."),
        recent: described("Those that other scans of the last hour lacked."),
        known: described("Grants that should be there."),
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
  .meta({ id: "AccessDriftScan" });
export type AccessDriftScan = z.output<typeof AccessDriftScan>;

/** Properties of a scan that no body sets: a body may repeat them but not change them. */
export const SCAN_READ_ONLY: readonly string[] = Object.keys(
  AccessDriftScan.omit({ name: true, status: true, metadata: true, attributes: true }).shape,
);

/** Comparisons of targets with what was granted. One at a time is under way for a target. */
export const accessDriftScans = defineCollection<AccessDriftScan>({
  name: "access_drift_scans",
  prefix: "dsc",
  schema: AccessDriftScan,
  resource: {
    type: "access_drift_scan",
    event: "access.drift_scan",
    path: "/api/v1/access-drift-scans",
    alsoAt: ["/api/v1/access-targets/{connectorInstanceId}/drift-scans"],
    readBy: ["access:read"],
  },
  machines: { status: driftScanStatus },
  related: ({ connectorInstanceId }) => [connectorInstanceId],
  fields: {
    status: { type: "text" },
    connectorInstanceId: { type: "text" },
    runningFor: {
      type: "text",
      compare: "exact",
      of: ({ status, connectorInstanceId }) => (status === "running" ? connectorInstanceId : null),
    },
    /** The target, of scans that can tell that nothing differs. */
    reportsOn: {
      type: "text",
      of: ({ status, coverage, connectorInstanceId }) =>
        status === "complete" && coverage !== "none" ? connectorInstanceId : null,
    },
    followedAt: { type: "time" },
  },
  unique: { running: ["runningFor"] },
  indexes: [
    { where: ["connectorInstanceId"] },
    { where: ["reportsOn"] },
    { where: [], by: "followedAt", partial: true },
  ],
  filters: { status: { values: statesOf(driftScanStatus) } },
});

/** Steps of a scan, in order. A scan leaves out those that its connector or its listing does not allow. */
export const PHASES = [
  "grants",
  "counting",
  "missing",
  "asking",
  "confirming",
  "records",
  "credentials",
  "resolving",
] as const;
export type Phase = (typeof PHASES)[number];

const DriftScanRun = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  scanId: z.string(),
  phase: z.enum(PHASES),
  /** Where the phase goes on. */
  cursor: z.string().nullable(),
  /** The way through the listing of grants so far. Scans that an older version has begun have none. */
  trail: StoredTrail.optional(),
  /** Somebody has accepted what is missing. */
  accepted: z.boolean(),
  /** Failed attempts in a row. */
  attempts: z.int(),
  /** When it is to go on, or the lease of the process that works on it ends. */
  dueAt: Time.nullable(),
});
export type DriftScanRun = z.output<typeof DriftScanRun>;

/** How far scans have come, apart from the records that the API serves. */
export const accessDriftScanRuns = defineCollection<DriftScanRun>({
  name: "access_drift_scan_runs",
  prefix: "dsr",
  schema: DriftScanRun,
  fields: { scanId: { type: "text", compare: "exact" }, dueAt: { type: "time" } },
  unique: { scan: ["scanId"] },
  indexes: [{ where: [], by: "dueAt", partial: true }],
  secrets: [],
});
