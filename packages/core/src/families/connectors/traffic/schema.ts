import { ERROR_CLASSES, type ErrorClass } from "#connectors/index.js";
import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

/** Where a number comes from: tests of the connection, or calls that do work. */
export const SOURCES = ["probe", "traffic"] as const;

/** Upper bounds of the classes of latency, in milliseconds. The last class has none. */
export const LATENCY_BOUNDS = [10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 20_000] as const;

const CLASSES = Object.keys(ERROR_CLASSES) as [ErrorClass, ...ErrorClass[]];

const ConnectorTraffic = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  connectorInstanceId: z.string(),
  source: z.enum(SOURCES),
  /** The hour that is counted, by its beginning. */
  hour: Time,
  ok: z.int().min(0),
  failed: z.partialRecord(z.enum(CLASSES), z.int().min(0)),
  /** Calls by class of latency. */
  latency: z.array(z.int().min(0)).length(LATENCY_BOUNDS.length + 1),
});
export type ConnectorTraffic = z.output<typeof ConnectorTraffic>;

/** Calls of each instance by the hour. */
export const connectorTraffic = defineCollection<ConnectorTraffic>({
  name: "connector_traffic",
  prefix: "ctr",
  schema: ConnectorTraffic,
  fields: {
    connectorInstanceId: { type: "text", compare: "exact" },
    source: { type: "text", compare: "exact" },
    hour: { type: "time" },
  },
  unique: { hour: ["connectorInstanceId", "source", "hour"] },
  indexes: [
    { where: ["connectorInstanceId"], by: "hour" },
    { where: [], by: "hour" },
  ],
  secrets: [],
});
