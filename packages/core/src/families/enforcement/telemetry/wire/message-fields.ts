/** How a field of a message is read from protobuf, by its number. Fields that are not named are skipped. */
export interface Field {
  readonly name: string;
  readonly is: "string" | "id" | "nanos" | "varint" | "number" | "attributes" | "message";
  readonly many?: true;
  readonly of?: Fields;
}
export type Fields = Readonly<Record<number, Field>>;

const attributes = { name: "attributes", is: "attributes" } as const;
const message = (name: string, of: Fields): Field => ({ name, is: "message", of });
const messages = (name: string, of: Fields): Field => ({ name, is: "message", many: true, of });

const RESOURCE: Fields = { 1: attributes };
const SCOPE: Fields = { 1: { name: "name", is: "string" }, 2: { name: "version", is: "string" } };

/** Not its text, which may hold anything. */
const LOG_RECORD: Fields = {
  1: { name: "timeUnixNano", is: "nanos" },
  6: attributes,
  9: { name: "traceId", is: "id" },
  10: { name: "spanId", is: "id" },
  11: { name: "observedTimeUnixNano", is: "nanos" },
  12: { name: "eventName", is: "string" },
};

/** Not the message of its status, nor its events and links. */
const SPAN: Fields = {
  1: { name: "traceId", is: "id" },
  2: { name: "spanId", is: "id" },
  4: { name: "parentSpanId", is: "id" },
  5: { name: "name", is: "string" },
  7: { name: "startTimeUnixNano", is: "nanos" },
  8: { name: "endTimeUnixNano", is: "nanos" },
  9: attributes,
  15: message("status", { 3: { name: "code", is: "varint" } }),
};

/** Of the data of a metric the points are counted, and no more. */
const POINTS: Fields = { 1: messages("dataPoints", {}) };
const METRIC: Fields = {
  1: { name: "name", is: "string" },
  5: message("gauge", POINTS),
  7: message("sum", POINTS),
  9: message("histogram", POINTS),
  10: message("exponentialHistogram", POINTS),
  11: message("summary", POINTS),
};

const scoped = (records: Field): Fields => ({ 1: message("scope", SCOPE), 2: records });
const exported = (name: string, scopes: Field): Fields => ({
  1: messages(name, { 1: message("resource", RESOURCE), 2: scopes }),
});

/** What an export of each signal holds: the fields of `opentelemetry.proto.*.v1` that are read, by their numbers. */
export const EXPORTS = {
  logs: exported("resourceLogs", messages("scopeLogs", scoped(messages("logRecords", LOG_RECORD)))),
  traces: exported("resourceSpans", messages("scopeSpans", scoped(messages("spans", SPAN)))),
  metrics: exported("resourceMetrics", messages("scopeMetrics", scoped(messages("metrics", METRIC)))),
} as const satisfies Record<string, Fields>;

export type Signal = keyof typeof EXPORTS;
export const SIGNALS = Object.keys(EXPORTS) as Signal[];

/** An attribute: its key, and a value that is a text, a truth or a number. Lists and bytes are skipped. */
export const ATTRIBUTE = { key: 1, value: 2, text: 1, truth: 2, integer: 3, number: 4 } as const;

/** The answer to an export: how many records of it were refused, and why. */
export const ANSWERS = {
  logs: "rejectedLogRecords",
  traces: "rejectedSpans",
  metrics: "rejectedDataPoints",
} as const satisfies Record<Signal, string>;
