import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, createClient, ProblemError } from "../src/index.js";
import { SETTINGS, type Service, startService } from "./servers.js";

describe.each(SETTINGS)("calls on $name", (setting) => {
  let service: Service;
  let client: Client;
  beforeAll(async () => {
    service = await startService(setting);
    client = createClient({ baseUrl: `${service.url}/`, signIn: service.account });
  });
  afterAll(() => service.close());

  const refusalOf = (call: Promise<unknown>) =>
    call.then(
      () => expect.fail("was not refused"),
      (error: unknown) => (ProblemError.is(error) ? error : expect.fail(String(error))),
    );

  it("creates, reads, changes and deletes", async () => {
    const { data: made, response } = await client.POST("/api/v1/ai-assets", {
      body: { name: "Support agent", assetType: "agent" },
    });
    expect({ status: response.status, etag: response.headers.get("etag") }).toEqual({ status: 201, etag: '"1"' });
    const params = { path: { id: made.id } };
    const body = { name: "Support agent", riskTier: "high" } as const;
    const { data: changed } = await client.PUT("/api/v1/ai-assets/{id}", { params, body, ifMatch: made });
    expect((await client.GET("/api/v1/ai-assets/{id}", { params })).data).toEqual(changed);
    expect(changed).toMatchObject({ id: made.id, version: 2, riskTier: "high" });
    const stale = await refusalOf(client.DELETE("/api/v1/ai-assets/{id}", { params, ifMatch: made }));
    expect(stale).toMatchObject({ status: 412, code: "precondition_failed", problem: { current: 2 } });
    const gone = await client.DELETE("/api/v1/ai-assets/{id}", { params, ifMatch: '"2"' });
    expect([gone.response.status, gone.data]).toEqual([204, undefined]);
    expect((await refusalOf(client.GET("/api/v1/ai-assets/{id}", { params }))).code).toBe("not_found");
  });

  it("walks a list from its beginning, and from a page", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `walked ${String(index).padStart(2, "0")}`);
    const labels = { team: "payments, refunds" };
    for (const name of names) await client.POST("/api/v1/ai-assets", { body: { name, labels } });
    const query = { label: ["team=payments, refunds"], sort: ["name" as const], size: 5 };
    const found: string[] = [];
    for await (const { name } of client.items("/api/v1/ai-assets", { params: { query } })) found.push(name);
    expect(found).toEqual(names);
    const pages: string[][] = [];
    const second = { params: { query: { ...query, page: 1 } } };
    for await (const { items } of client.pages("/api/v1/ai-assets", second)) pages.push(items.map(({ name }) => name));
    expect(pages).toEqual([names.slice(5, 10), names.slice(10)]);
    const none = { params: { query: { ...query, label: ["team=payments"] } } };
    for await (const { totalItems } of client.pages("/api/v1/ai-assets", none)) expect(totalItems).toBe(0);
  });

  it("stops walking where the caller does", async () => {
    const seen: string[] = [];
    for await (const { id } of client.items("/api/v1/ai-assets", { params: { query: { size: 1 } } })) {
      seen.push(id);
      if (seen.length === 2) break;
    }
    expect(new Set(seen).size).toBe(2);
  });

  it("throws a refusal with what it says", async () => {
    const { data: asset } = await client.POST("/api/v1/ai-assets", { body: { assetType: "agent" } });
    const params = { path: { id: asset.id } };
    const path = "/api/v1/ai-assets/{id}/lifecycle";
    const jumped = await refusalOf(client.PATCH(path, { params, body: { status: "production" } }));
    expect(jumped).toMatchObject({ status: 409, code: "invalid_transition", retryable: false });
    expect(jumped.allowed).toEqual(["development", "validation", "retired"]);
    expect(jumped.requestId).toBe(jumped.response.headers.get("x-request-id"));
    expect(jumped.message).toBe(jumped.problem.detail);
    await client.PATCH(path, { params, body: { status: "validation" } });
    const guarded = await refusalOf(client.PATCH(path, { params, body: { status: "production" } }));
    expect(guarded.code).toBe("transition_guard_failed");
    expect(guarded.guards.filter(({ ok }) => !ok).map(({ key }) => key)).toEqual(["approved", "accountable"]);
    const body = { organization: "", ...service.account };
    const { errors } = await refusalOf(client.POST("/api/v1/register", { body }));
    expect(errors).toMatchObject([{ pointer: "/organization" }]);
    const filtered = client.GET("/api/v1/ai-assets", { params: { query: { size: 0 } } });
    expect((await refusalOf(filtered)).errors).toMatchObject([{ parameter: "size" }]);
  });

  it("reads what is not JSON as text or stream", async () => {
    const exported = await client.GET("/api/v1/ai-governance/audit/export");
    expect(JSON.parse(exported.data.split("\n")[0] ?? "")).toHaveProperty("specversion", "1.0");
    const { data: stream } = await client.GET("/api/v1/ai-governance/audit/export", { parseAs: "stream" });
    expect(await new Response(stream).text()).toBe(exported.data);
    const params = { query: { format: "html" as const } };
    const report = await client.GET("/api/v1/ai/compliance/report", { params, parseAs: "text" });
    expect(report.data).toMatch(/^<!doctype html>/i);
  });

  it("asks in process as over HTTP", async () => {
    const send = async (request: Request) => (await service.plane.controlPlane.fetch(request)) as Response;
    const inProcess = createClient({ baseUrl: "https://reeve.example", signIn: service.account, fetch: send });
    const { data } = await inProcess.POST("/api/v1/ai-assets", { body: { name: "made in process" } });
    const found = await client.GET("/api/v1/ai-assets/{id}", { params: { path: { id: data.id } } });
    expect(found.data).toEqual(data);
  });
});
