import { context, propagation, SpanKind, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { createPlane, createWorld } from "@reeve/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { Drain } from "../src/http/drain.js";
import { front } from "../src/http/front.js";
import { isUntraced, ServerSpans, serverTracer } from "../src/http/server-span.js";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const CALLER = { traceparent: `00-${TRACE}-b7ad6b7169203331-01` };

/** Registers an SDK, as a file of `NODE_OPTIONS` does. */
function register() {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return exporter;
}
afterEach(() => {
  for (const api of [trace, context, propagation]) api.disable();
});

function shownBy(controlPlane: ReturnType<typeof createPlane>["controlPlane"]) {
  const lines: Record<string, unknown>[] = [];
  const note = (fields: object) => void lines.push(fields as Record<string, unknown>);
  const options = { log: { info: note, warn: note, error: note }, pages: new Map(), peerOf: () => undefined };
  const shown = front(controlPlane, {
    ...options,
    ...{ headers: {}, drain: new Drain(), spans: new ServerSpans(controlPlane) },
  });
  const send = (method: string, target: string, headers: Record<string, string> = {}) =>
    shown.handle({ method, target, headers, body: async () => undefined });
  return { lines, send };
}

describe("a request to the server", () => {
  it("is a span of the server in the trace of its caller, with the route and no query", async () => {
    const exporter = register();
    const { a, controlPlane } = await createWorld({ tracer: serverTracer() });
    const { lines, send } = shownBy(controlPlane);
    const id = await a.newAsset();
    exporter.reset();
    const headers = { ...CALLER, authorization: `Bearer ${a.owner.token}` };
    await send("GET", `/api/v1/ai-assets/${id}?x=${a.owner.token}`, headers);
    const spans = exporter.getFinishedSpans();
    const server = spans.find(({ kind }) => kind === SpanKind.SERVER);
    expect(server).toMatchObject({
      name: "GET /api/v1/ai-assets/{id}",
      parentSpanContext: { traceId: TRACE, spanId: "b7ad6b7169203331" },
      instrumentationScope: { name: "@reeve/server", version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
      attributes: {
        "http.request.method": "GET",
        "http.route": "/api/v1/ai-assets/{id}",
        "url.path": `/api/v1/ai-assets/${id}`,
      },
    });
    const operation = spans.find(({ name }) => name === "aiAssets.read");
    expect(operation?.parentSpanContext?.spanId).toBe(server?.spanContext().spanId);
    expect(spans.every((span) => span.spanContext().traceId === TRACE)).toBe(true);
    expect(JSON.stringify(spans.map(({ attributes }) => attributes))).not.toContain(a.owner.token);
    expect(lines).toMatchObject([{ traceId: TRACE }]);
  });

  it("that no operation answers has a span by its method alone", async () => {
    const exporter = register();
    const { controlPlane } = createPlane();
    await shownBy(controlPlane).send("GET", "/nowhere/at/all");
    const [span] = exporter.getFinishedSpans();
    expect(span).toMatchObject({ name: "GET", attributes: { "http.response.status_code": 404 } });
    expect(span?.attributes).not.toHaveProperty("http.route");
  });

  it("is no second span where instrumentation has made one", async () => {
    const exporter = register();
    const { controlPlane } = createPlane();
    const { lines, send } = shownBy(controlPlane);
    await serverTracer().startActiveSpan("by the host", async (span) => {
      await send("GET", "/livez");
      span.end();
    });
    expect(exporter.getFinishedSpans().filter(({ kind }) => kind === SpanKind.SERVER)).toEqual([]);
    expect(lines).toMatchObject([{ traceId: expect.stringMatching(/^[0-9a-f]{32}$/) }]);
  });

  it("has no trace in the log without an SDK", async () => {
    const { controlPlane } = createPlane();
    const { lines, send } = shownBy(controlPlane);
    await send("GET", "/nowhere", CALLER);
    expect(lines[0]).not.toHaveProperty("traceId");
  });
});

describe("a process that is told to trace", () => {
  it("is told apart where no SDK has registered", () => {
    const told = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" };
    expect([isUntraced(told), isUntraced({}), isUntraced({ ...told, OTEL_SDK_DISABLED: "true" })]).toEqual([
      ...[true, false, false],
    ]);
    register();
    expect(isUntraced(told)).toBe(false);
  });
});
