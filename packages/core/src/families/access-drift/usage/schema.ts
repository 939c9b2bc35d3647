import { FAILURE, StoredTrail } from "#families/connectors/index.js";
import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { timestamp } from "#ports/clock.js";
import { z } from "#schema/z.js";
import { GAP_REASONS, LOST_AFTER } from "./rules.js";

export const USE_OUTCOMES = ["started", "success", "denied", "error", "timeout", "unknown"] as const;
export const USE_SOURCES = ["gateway", "connector", "runtime_test"] as const;

const Actor = z.object({
  type: z.enum(["user", "machine", "agent", "system"]).meta({ description: "What kind of actor." }),
  id: z.string().meta({ description: "The id of the actor." }),
});

/** One use of access, as it is stored and served. */
export const AccessUse = z
  .object({
    id: z.string().meta({ description: "The id of the record." }),
    version: z.int().min(1).meta({ description: "Rises when its outcome is known." }),
    createdAt: Time.meta({ description: "When it was stored." }),
    at: Time.meta({ description: "When it was." }),
    assetId: z.string().nullable().meta({ description: "The asset; `null` when nobody can tell." }),
    identityId: z.string().nullable().meta({ description: "What the asset acted as." }),
    assignmentId: z.string().nullable().meta({ description: "The access; `null` when no access here fits." }),
    attribution: z.enum(["exact", "shared", "none"]).meta({
      description: "`shared`: several assignments may have been used, and each of them has an entry.",
    }),
    primary: z.boolean().meta({ description: "The entry that counts for the asset, where several tell of one use." }),
    grantKey: z.string().nullable().meta({ description: "The key of the grant at the target." }),
    connectorInstanceId: z.string().meta({ description: "Id of the connection to the target." }),
    resourceId: z.string().nullable().meta({ description: "What was accessed, if it is known here." }),
    tool: z.string().nullable().meta({ description: "The tool that ran." }),
    action: z.string().meta({ description: "What was done, in the words of the target." }),
    count: z.int().min(1).meta({ description: "How many times, where the target counts and does not list." }),
    outcome: z.enum(USE_OUTCOMES).meta({
      description: "What came of it. `unknown`: it was begun, and nobody can tell.",
    }),
    denyCode: z.string().nullable().meta({ description: "Why it was denied, or failed." }),
    latencyMs: z.int().min(0).nullable().meta({ description: "How long the target took." }),
    argsHash: z.string().nullable().meta({ description: "Hash of the arguments. They are not kept." }),
    bytesIn: z.int().min(0).nullable().meta({ description: "Size of the arguments." }),
    bytesOut: z.int().min(0).nullable().meta({ description: "Size of the result." }),
    sessionId: z.string().nullable().meta({ description: "Id of the session." }),
    tokenId: z.string().nullable().meta({ description: "The token that it was done with." }),
    traceId: z.string().nullable().meta({ description: "Id of the request." }),
    actors: z.array(Actor).meta({ description: "Who was behind it, the nearest last." }),
    source: z.enum(USE_SOURCES).meta({ description: "How it is known." }),
    externalEventId: z.string().nullable().meta({ description: "Id of the event in the target." }),
    part: z.int().min(0).meta({ description: "Which entry of one event it is, from 0." }),
    synthetic: z.boolean().meta({ description: "A runtime test, which hands on no result and counts nowhere." }),
  })
  .meta({ id: "AccessUse" });
export type AccessUse = z.output<typeof AccessUse>;

const lostAt = ({ outcome, at }: AccessUse): string | null =>
  outcome === "started" ? timestamp(Date.parse(at) + LOST_AFTER) : null;

/** Uses of access. Only the outcome of what has begun is ever changed, and retention deletes the old. */
export const accessUses = defineCollection<AccessUse>({
  name: "access_uses",
  prefix: "use",
  schema: AccessUse,
  fields: {
    at: { type: "time" },
    assignmentId: { type: "text" },
    connectorInstanceId: { type: "text", compare: "exact" },
    externalEventId: { type: "text", compare: "exact" },
    part: { type: "integer" },
    outcome: { type: "text" },
    source: { type: "text" },
    tool: { type: "text" },
    /** When nobody can tell any more what came of it. */
    lostAt: { type: "time", of: lostAt },
    /** The asset whose list shows it: one entry of each use. */
    listedFor: { type: "text", of: ({ primary, assetId }) => (primary ? assetId : null) },
  },
  unique: { event: ["connectorInstanceId", "externalEventId", "part"] },
  indexes: [
    { where: ["listedFor"], by: "at" },
    { where: ["assignmentId"], by: "at" },
    { where: [], by: "at" },
    { where: [], by: "lostAt", partial: true },
  ],
  filters: {
    outcome: { values: USE_OUTCOMES, changesAt: "lostAt" },
    source: { values: USE_SOURCES },
    connectorInstanceId: {},
    assignmentId: {},
    tool: {},
  },
  orders: { at: "at" },
  staleAt: lostAt,
  derive: (use, now) => ((lostAt(use) ?? "~") <= now ? { ...use, outcome: "unknown" } : use),
  secrets: [],
});

const Counted = z.object({ key: z.string(), count: z.int().min(0) });

const UsageDay = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  /** Id of the asset or assignment that was used. */
  subject: z.string(),
  /** The day, by its beginning in UTC. */
  day: Time,
  total: z.int().min(0),
  outcomes: z.array(Counted),
  /** The most frequent by name, and the rest as one. */
  actions: z.array(Counted),
  lastAt: Time,
});
export type UsageDay = z.output<typeof UsageDay>;

/** Uses of an asset or assignment by the day, so that sums read a bounded number of rows. */
export const usageDays = defineCollection<UsageDay>({
  name: "access_usage_days",
  prefix: "aud",
  schema: UsageDay,
  fields: { subject: { type: "text", compare: "exact" }, day: { type: "time" } },
  unique: { day: ["subject", "day"] },
  indexes: [
    { where: ["subject"], by: "day" },
    { where: [], by: "day" },
  ],
  secrets: [],
});

const UsageFeed = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  connectorInstanceId: z.string(),
  /** The time whose use has been read, but for the gaps. */
  coveredFrom: Time.nullable(),
  coveredThrough: Time.nullable(),
  gaps: z.array(z.object({ from: Time, to: Time, reason: z.enum(GAP_REASONS) })),
  /** The time that is being read; `null` between readings. */
  since: Time.nullable(),
  until: Time.nullable(),
  cursor: z.string().nullable(),
  trail: StoredTrail,
  /** Why the reading under way leaves a gap. */
  fault: z.enum(GAP_REASONS).nullable(),
  failure: z.object(FAILURE).nullable(),
  /** Failed attempts in a row. */
  attempts: z.int(),
  /** When it goes on, or the lease of the process that works on it ends. */
  dueAt: Time.nullable(),
});
export type UsageFeed = z.output<typeof UsageFeed>;

/** How far the use of each target has been read. */
export const usageFeeds = defineCollection<UsageFeed>({
  name: "access_usage_feeds",
  prefix: "auf",
  schema: UsageFeed,
  fields: { connectorInstanceId: { type: "text", compare: "exact" }, dueAt: { type: "time" } },
  unique: { instance: ["connectorInstanceId"] },
  indexes: [{ where: [], by: "dueAt", partial: true }],
  secrets: [],
});
