import { ById } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { instances } from "../instances/schema.js";
import { storeTraffic } from "./record-traffic.js";
import { SOURCES } from "./schema.js";
import { trendOf, WINDOWS, type Window } from "./traffic-trend.js";

const Bucket = z
  .object({
    from: Time.meta({ description: "The time when the span begins." }),
    to: Time.meta({ description: "The time when the span ends." }),
    worst: z.enum(["none", "healthy", "degraded", "down", "misconfigured"]).meta({
      description: "`none`: nothing was called, so nothing is known.",
    }),
    sources: z.array(z.enum(SOURCES)).meta({ description: "What was counted: tests, or calls that do work." }),
    availability: z.number().min(0).max(1).nullable().meta({ description: "Part of the calls that worked." }),
    ok: z.int().min(0).meta({ description: "Calls that worked." }),
    failed: z.record(z.string(), z.int()).meta({ description: "Calls that failed, by class of failure." }),
    p50: z.number().nullable().meta({ description: "Half of the calls took at most this many milliseconds." }),
    p95: z.number().nullable().meta({ description: "So did 95 of 100; `null` with none, or above 20,000." }),
  })
  .meta({ id: "HealthBucket" });

const windows = Object.keys(WINDOWS) as [Window, ...Window[]];

export const readHealthTrend = defineOperation({
  id: "integrations.healthTrend",
  method: "GET",
  path: "/api/v1/integrations/{id}/health/trend",
  tag: "Integrations Workspace",
  summary: "Read how a connected system did over time",
  access: { permission: "connector:read", capability: "connectors" },
  params: ById,
  query: z.strictObject({
    window: z.enum(windows).optional().meta({ description: "How far to look back; `24h` when absent.", example: "7d" }),
  }),
  success: {
    status: 200,
    schema: z
      .object({
        window: z.enum(windows).meta({ description: "How far it looks back." }),
        buckets: z.array(Bucket).meta({ description: "The spans of time, oldest first." }),
      })
      .meta({ id: "HealthTrend" }),
  },
  async handler(ctx, { params, query: { window = "24h" } }) {
    const { id } = await ctx.getOrThrow(instances, params.id);
    await storeTraffic(ctx.env, ctx.principal.tenantId);
    return { window, buckets: await trendOf(ctx, id, window) };
  },
});
