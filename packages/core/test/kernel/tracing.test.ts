import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { createPlane, createScene, type Scene } from "@reeve/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { tracedEgress } from "#egress/traced-egress.js";
import type { EgressRequest } from "#ports/egress.js";
import { guardedEgress, ReeveError } from "../../src/index.js";

const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const tracer = provider.getTracer("test");
const contexts = new AsyncLocalStorageContextManager();
const ASSETS = "/api/v1/ai-assets";

beforeAll(() => {
  contexts.enable();
  context.setGlobalContextManager(contexts);
});
afterAll(() => context.disable());

/** The exported spans, in the order of their ends. */
const spans = () =>
  exporter.getFinishedSpans().map((span) => ({
    name: span.name,
    kind: span.kind,
    failed: span.status.code === 2,
    attributes: span.attributes,
    id: span.spanContext().spanId,
    parent: span.parentSpanContext?.spanId,
  }));

describe("spans of a control plane", () => {
  const plane = createPlane({ tracer });
  let scene: Scene;
  beforeAll(async () => {
    scene = await createScene(plane, "traced");
  });
  beforeEach(() => exporter.reset());

  it("are one for an operation, and in it one for its transaction", async () => {
    const body = { name: "a name that is no telemetry" };
    const made = await plane.send("POST", ASSETS, { token: scene.owner.token, body });
    expect(made.status).toBe(201);
    const [transaction, operation, ...others] = spans();
    expect(others).toEqual([]);
    expect(operation).toMatchObject({ name: "aiAssets.create", kind: 0, failed: false, parent: undefined });
    expect(operation?.attributes).toEqual({
      "reeve.operation": "aiAssets.create",
      "reeve.request.id": made.headers["x-request-id"],
      "reeve.tenant.id": scene.tenantId,
      "http.request.method": "POST",
      "http.route": ASSETS,
      "http.response.status_code": 201,
    });
    expect(transaction).toMatchObject({ name: "transaction", kind: 0, parent: operation?.id });
    expect(transaction?.attributes).toEqual({ "reeve.tenant.id": scene.tenantId });
  });

  it("are children of the host's span", async () => {
    const id = await tracer.startActiveSpan("the host's", async (span) => {
      await plane.send("GET", `${ASSETS}/ast_0`, { token: scene.owner.token });
      span.end();
      return span.spanContext().spanId;
    });
    expect(spans()[0]).toMatchObject({ name: "aiAssets.read", parent: id });
    expect(spans()[0]?.attributes["http.route"]).toBe(`${ASSETS}/{id}`);
  });

  it("name a refusal by its code, which is no error of the service", async () => {
    await plane.send("GET", `${ASSETS}/ast_0`, { token: scene.owner.token });
    await plane.send("GET", ASSETS, {});
    expect(spans().map(({ failed, attributes }) => [failed, attributes["error.type"]])).toEqual([
      [false, "not_found"],
      [false, "token_missing"],
    ]);
    expect(spans()[1]?.attributes).not.toHaveProperty("reeve.tenant.id");
  });

  it("are none for what is no operation", async () => {
    await plane.send("GET", "/api/v1/orders", {});
    expect(spans()).toEqual([]);
  });

  it("are the same in process, without HTTP", async () => {
    const owner = await plane.controlPlane.principalOf(scene.tenantId, scene.owner.userId);
    await plane.controlPlane.call("aiAssets.list", owner);
    expect(spans()).toMatchObject([
      { name: "aiAssets.list", attributes: { "reeve.operation": "aiAssets.list", "reeve.tenant.id": scene.tenantId } },
    ]);
  });

  it("say of an outgoing call where it went and nothing else, and send nothing along", async () => {
    const sent: EgressRequest[] = [];
    const answering = {
      request: async (request: EgressRequest) => {
        sent.push(request);
        if (request.url.endsWith("/fails")) throw new ReeveError("connector_timeout");
        return { status: 200, headers: {}, body: new Uint8Array() };
      },
    };
    const egress = tracedEgress(answering, tracer);
    const request = { url: "https://user@keys.example:8443/secret?token=1", headers: { authorization: "Bearer x" } };
    await tracer.startActiveSpan("around", async (span) => {
      await egress.request(request);
      await expect(egress.request({ url: "https://keys.example/fails", method: "POST" })).rejects.toThrow();
      span.end();
    });
    const at = { "server.address": "keys.example" };
    expect(spans().map(({ name, kind, failed, attributes }) => ({ name, kind, failed, attributes }))).toEqual([
      {
        name: "GET",
        kind: 2,
        failed: false,
        attributes: { ...at, "http.request.method": "GET", "server.port": 8443, "http.response.status_code": 200 },
      },
      {
        name: "POST",
        kind: 2,
        failed: true,
        attributes: { ...at, "http.request.method": "POST", "server.port": 443, "error.type": "connector_timeout" },
      },
      { name: "around", kind: 0, failed: false, attributes: {} },
    ]);
    expect(sent[0]).toBe(request);
  });

  it("leave the stream of the default egress as it is", async () => {
    const egress = tracedEgress(guardedEgress(), tracer) as ReturnType<typeof guardedEgress>;
    await expect(egress.stream({ url: "http://127.0.0.1:9/" })).rejects.toMatchObject({ code: "target_not_allowed" });
    expect(spans()).toMatchObject([{ name: "GET", failed: false, attributes: { "error.type": "target_not_allowed" } }]);
  });

  it("cost nothing while no SDK is registered", async () => {
    const idle = createPlane({ tracer: trace.getTracer("idle") });
    expect((await idle.send("GET", ASSETS, {})).status).toBe(401);
    expect(spans()).toEqual([]);
  });
});
