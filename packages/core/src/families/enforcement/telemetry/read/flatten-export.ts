import type { JsonObject } from "#kernel/http/json-guard.js";
import type { Signal } from "../wire/message-fields.js";

/** The value of an attribute. Lists and objects have none. */
export type Scalar = string | number | boolean;

/** One log record or span of an export, with the attributes that came with values. */
export interface Received {
  readonly scope: string;
  /** Versions of the instrumentation and of the service, where they are said. */
  readonly versions: { readonly scope: string | null; readonly service: string | null };
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  /** Nanoseconds since the epoch, as a text. Of a span those of its end. */
  readonly nanos: string;
  readonly startNanos: string | null;
  /** Whether a span says that it failed. */
  readonly isFailed: boolean;
  readonly attributes: ReadonlyMap<string, Scalar | undefined>;
}

const PARTS = {
  logs: ["resourceLogs", "scopeLogs", "logRecords"],
  traces: ["resourceSpans", "scopeSpans", "spans"],
  metrics: ["resourceMetrics", "scopeMetrics", "metrics"],
} as const satisfies Record<Signal, readonly string[]>;

const VERSION = /^[\w.+-]{1,50}$/;
const FAILED = 2;

/** The records of an export one by one, whatever odd parts it has. */
export function* recordsOf(signal: "logs" | "traces", body: JsonObject): Generator<Received> {
  for (const { resource, scope, record } of partsOf(signal, body)) {
    const { attributes } = objectOf(resource);
    const ofResource = attributesIn(attributes);
    const { name, version } = objectOf(scope);
    yield {
      scope: textOf(name),
      versions: { scope: versionOf(version), service: versionOf(ofResource.get("service.version")) },
      traceId: textOf(record.traceId).toLowerCase(),
      spanId: textOf(record.spanId).toLowerCase(),
      parentSpanId: textOf(record.parentSpanId).toLowerCase(),
      nanos: nanosOf(
        signal === "traces" ? [record.endTimeUnixNano] : [record.timeUnixNano, record.observedTimeUnixNano],
      ),
      startNanos: signal === "traces" ? nanosOf([record.startTimeUnixNano]) : null,
      isFailed: isFailed(objectOf(record.status).code),
      attributes: attributesIn(record.attributes),
    };
  }
}

const versionOf = (value: unknown) => (typeof value === "string" && VERSION.test(value) ? value : null);

const isFailed = (code: unknown) => code === FAILED || code === "STATUS_CODE_ERROR";

/** How many points a metrics export has. */
export function pointsOf(body: JsonObject): number {
  let points = 0;
  for (const { record } of partsOf("metrics", body))
    for (const kind of Object.values(record)) points += listOf(objectOf(kind).dataPoints).length;
  return points;
}

function* partsOf(signal: Signal, body: JsonObject) {
  const [resources, scopes, records] = PARTS[signal];
  for (const ofResource of listOf(body[resources]))
    for (const ofScope of listOf(ofResource[scopes]))
      for (const record of listOf(ofScope[records]))
        yield { resource: ofResource.resource, scope: ofScope.scope, record };
}

function attributesIn(given: unknown): Map<string, Scalar | undefined> {
  return new Map(listOf(given).flatMap(({ key, value }) => (typeof key === "string" ? [[key, scalarOf(value)]] : [])));
}

function scalarOf(value: unknown): Scalar | undefined {
  const { stringValue, intValue, doubleValue, boolValue } = objectOf(value);
  const found = stringValue ?? intValue ?? doubleValue ?? boolValue;
  return typeof found === "string" || typeof found === "number" || typeof found === "boolean" ? found : undefined;
}

/** The first time that is not left out. Exporters that know none write 0. */
function nanosOf(times: readonly unknown[]): string {
  const texts = times.map((time) => (typeof time === "number" ? String(BigInt(Math.round(time))) : textOf(time)));
  return texts.find((time) => /^[1-9]\d{0,19}$/.test(time)) ?? "0";
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

function objectOf(value: unknown): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

const listOf = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.map(objectOf) : []);
