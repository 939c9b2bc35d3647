import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

const Count = z.int().min(0);
/** A sum over the calls that said it, and how many did not. */
const Sum = z.object({ sum: z.number().min(0), unknown: Count });

const UsageRow = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  /** The day of the calls, by its beginning in UTC. */
  day: Time,
  /** `null`: of all installations of the tenant together. */
  installationId: z.string().nullable(),
  agentId: z.string(),
  team: z.string().nullable(),
  kind: z.enum(["model", "tool", "run"]),
  provider: z.string().nullable(),
  model: z.string().nullable(),
  tool: z.string().nullable(),
  server: z.string().nullable(),
  calls: Count,
  failed: Count,
  refused: Count,
  tokens: z.object({ input: Sum, output: Sum, cached: Sum, cacheWritten: Sum, reasoning: Sum }),
  /** In billionths of a dollar, so that sums are exact. */
  nanoUsd: Sum,
  milliseconds: Sum,
  longest: z.number().min(0).nullable(),
});
export type UsageRow = z.output<typeof UsageRow>;

/** Sums of the calls of one day, agent, model, tool and server: for each installation, and for all of the tenant. */
export const usageRows = defineCollection<UsageRow>({
  name: "ai_usage_days",
  prefix: null,
  schema: UsageRow,
  fields: {
    day: { type: "time" },
    installationId: { type: "text", compare: "exact" },
    ofOne: { type: "boolean", of: ({ installationId }) => installationId !== null },
  },
  indexes: [
    { where: ["ofOne"], by: "day" },
    { where: ["installationId"], by: "day" },
    { where: [], by: "day" },
  ],
  secrets: [],
});

const SeenCalls = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  /** Beginnings of the hashes of what tells calls apart. */
  keys: z.array(z.string()),
  expiresAt: Time,
});
export type SeenCalls = z.output<typeof SeenCalls>;

/** Calls of an installation and a day that are counted already, so that a repetition is not. Some share a record by their hash. */
export const seenCalls = defineCollection<SeenCalls>({
  name: "ai_usage_seen",
  prefix: null,
  schema: SeenCalls,
  fields: { expiresAt: { type: "time" } },
  indexes: [{ where: [], by: "expiresAt" }],
  secrets: [],
});

export const DROPS = ["too_many_calls", "too_many_names", "unread_metrics"] as const;
export type Drop = (typeof DROPS)[number];

const Exports = z
  .object({
    exports: Count.meta({ description: "How many exports came." }),
    records: Count.meta({ description: "Log records, spans or points in them." }),
    lastAt: Time.nullable().meta({ description: "When the last one came." }),
  })
  .meta({ description: "Exports of one signal." });

/** What an installation has sent on a day, and what became of it. */
export const TelemetryDay = z
  .object({
    id: z.string().meta({ description: "The unique id of the record." }),
    version: z.int().min(1).meta({ description: "Rises with every change." }),
    createdAt: Time.meta({ description: "When it was made." }),
    day: Time.meta({ description: "The day on which it came, by its beginning in UTC." }),
    installationId: z.string().meta({ description: "The installation that has sent it." }),
    lastReceivedAt: Time.meta({ description: "When it last sent anything." }),
    signals: z
      .object({ logs: Exports, traces: Exports, metrics: Exports })
      .meta({ description: "Counts of each signal." }),
    counted: Count.meta({ description: "Calls that were counted." }),
    repeated: Count.meta({ description: "Calls that had been counted before." }),
    otherRecords: Count.meta({ description: "Records that tell of no call, or of one that is counted from others." }),
    droppedAttributes: Count.meta({ description: "Attributes that may not pass, and were dropped unread." }),
    dropped: z
      .array(
        z.object({
          reason: z.enum(DROPS).meta({ description: "Why they were not counted." }),
          count: Count.meta({ description: "How many records or points." }),
        }),
      )
      .meta({ description: "What was not counted, though it may tell of calls." }),
    names: Count.meta({ description: "Combinations of agent, model, tool and server that were new on this day." }),
    dialects: z
      .array(
        z.object({
          name: z.string().meta({ description: "The client or convention." }),
          version: z.string().nullable().meta({ description: "The version that it says." }),
        }),
      )
      .meta({ description: "What has sent it, at most 20." }),
  })
  .meta({ id: "AiTelemetryDay" });
export type TelemetryDay = z.output<typeof TelemetryDay>;

/** What each installation has sent, by the day. */
export const telemetryDays = defineCollection<TelemetryDay>({
  name: "ai_telemetry_days",
  prefix: "tld",
  schema: TelemetryDay,
  fields: {
    day: { type: "time" },
    installationId: { type: "text", compare: "exact" },
    lastReceivedAt: { type: "time" },
  },
  unique: { day: ["installationId", "day"] },
  indexes: [
    { where: ["installationId"], by: "day" },
    { where: [], by: "day" },
    { where: [], by: "lastReceivedAt" },
  ],
  filters: { installationId: { description: "The installation that has sent it." } },
  orders: { day: "day", lastReceivedAt: "lastReceivedAt" },
  secrets: [],
});
