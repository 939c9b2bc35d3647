import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import { z } from "#schema/z.js";
import { TelemetryDay, telemetryDays } from "./schema.js";
import { countExport, readExport } from "./take-export.js";
import { exportForm } from "./wire/export-form.js";

const tag = "AI Enforcement";
const capability = "ai_governance";

const access = { permission: "installation:act", capability } as const;
const description =
  "For exporters of clients, libraries and gateways, with the credential of an installation, as protobuf or JSON, packed by gzip or not. Calls are counted, each once. Attributes that are not listed are dropped unread, so that no prompt, answer or argument is kept. What is not counted is said in `partialSuccess`.";

const Resources = z
  .array(z.looseObject({}))
  .optional()
  .meta({ description: "By resource, as the protocol of OpenTelemetry says." });
const Media = z.string().optional().meta({ description: "Ignored: the header says it." });
const Message = z.string().optional().meta({ description: "Why, in words." });
const Rejected = z.string().optional().meta({ description: "How many were not counted." });

/** An answer in the form of the protocol, whose 64-bit integers are texts. */
const answered = (id: string, shape: z.ZodRawShape) =>
  z
    .object({
      partialSuccess: z.object(shape).optional().meta({ description: "Absent where all was taken." }),
    })
    .meta({ id });

export const takeLogs = defineOperation({
  id: "telemetry.logs",
  method: "POST",
  path: "/api/v1/otlp/v1/logs",
  tag,
  summary: "Count the calls that logs of a client tell of",
  description,
  extension: true,
  access,
  takes: exportForm("logs"),
  openBody: true,
  unkept: ["resourceLogs"],
  body: z.object({ resourceLogs: Resources, media: Media }).meta({ id: "OtlpLogs", example: { resourceLogs: [] } }),
  success: {
    status: 200,
    schema: answered("OtlpLogsAnswer", { rejectedLogRecords: Rejected, errorMessage: Message }),
  },
  prepare: (ctx, { body }) => readExport(ctx, "logs", body),
  handler: (ctx, _input, taken) => countExport(ctx, "logs", taken),
});

export const takeTraces = defineOperation({
  id: "telemetry.traces",
  method: "POST",
  path: "/api/v1/otlp/v1/traces",
  tag,
  summary: "Count the calls that spans of a library or client tell of",
  description,
  extension: true,
  access,
  takes: exportForm("traces"),
  openBody: true,
  unkept: ["resourceSpans"],
  body: z.object({ resourceSpans: Resources, media: Media }).meta({ id: "OtlpTraces", example: { resourceSpans: [] } }),
  success: {
    status: 200,
    schema: answered("OtlpTracesAnswer", { rejectedSpans: Rejected, errorMessage: Message }),
  },
  prepare: (ctx, { body }) => readExport(ctx, "traces", body),
  handler: (ctx, _input, taken) => countExport(ctx, "traces", taken),
});

export const takeMetrics = defineOperation({
  id: "telemetry.metrics",
  method: "POST",
  path: "/api/v1/otlp/v1/metrics",
  tag,
  summary: "Take metrics, which are noted and not read",
  description:
    "So that an exporter of all signals meets no error. Calls are counted from logs and spans, which tell each of them; the points of metrics are counted as not read.",
  extension: true,
  access,
  takes: exportForm("metrics"),
  openBody: true,
  unkept: ["resourceMetrics"],
  body: z
    .object({ resourceMetrics: Resources, media: Media })
    .meta({ id: "OtlpMetrics", example: { resourceMetrics: [] } }),
  success: {
    status: 200,
    schema: answered("OtlpMetricsAnswer", { rejectedDataPoints: Rejected, errorMessage: Message }),
  },
  prepare: (ctx, { body }) => readExport(ctx, "metrics", body),
  handler: (ctx, _input, taken) => countExport(ctx, "metrics", taken),
});

export const listTelemetry = defineOperation({
  id: "telemetry.list",
  method: "GET",
  path: "/api/v1/ai/telemetry",
  tag,
  summary: "List what installations have sent, by day, and what was dropped",
  description: "What came last, what has sent it, and how much of it was counted, repeated or dropped, and why.",
  extension: true,
  access: { permission: "usage:read", capability },
  query: listQuery(telemetryDays),
  success: { status: 200, schema: pageOf(TelemetryDay) },
  handler: (ctx, { query }) => ctx.page(telemetryDays, query),
});
