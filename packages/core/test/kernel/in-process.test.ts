import type { World } from "@reeve/testkit";
import { beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import type { Principal } from "../../src/index.js";
import { eventTypes } from "../helpers/facts.js";
import { createWorld } from "../helpers/world.js";

let world: World;
let owner: Principal;
beforeAll(async () => {
  world = await createWorld();
  owner = await world.controlPlane.principalOf(world.a.tenantId, world.a.owner.userId);
});

describe("call", () => {
  it("runs an operation as HTTP does, with typed input and output", async () => {
    const { call } = world.controlPlane;
    const before = (await eventTypes(world.a)).length;
    const asset = await call("aiAssets.create", owner, { body: { name: "called", assetType: "application" } });
    expectTypeOf(asset.status).toEqualTypeOf<
      "registered" | "discovered" | "development" | "validation" | "production" | "deprecated" | "retired"
    >();
    expect(await eventTypes(world.a, before)).toEqual(["asset.created"]);
    const read = await call("aiAssets.read", owner, { params: { id: asset.id } });
    expect(read).toEqual(asset);
    const list = await call("aiAssets.list", owner, { query: { size: 1 } });
    expect(list.items[0]?.id).toBe(asset.id);
    const gone = await call("aiAssets.delete", owner, { params: { id: asset.id }, ifMatch: 1 });
    expectTypeOf(gone).toEqualTypeOf<undefined>();
    expect((await call("monitor.ping", undefined)).status).toBe("ok");
  });

  it.each<[string, string, () => Promise<unknown>]>([
    ["nobody", "token_missing", () => world.controlPlane.call("aiAssets.list", undefined)],
    [
      "no permission",
      "permission_denied",
      () => world.controlPlane.call("aiAssets.list", { ...owner, permissions: new Set() }),
    ],
    [
      "another tenant's id",
      "not_found",
      async () => world.controlPlane.call("aiAssets.read", owner, { params: { id: await world.b.newAsset() } }),
    ],
    [
      "a wrong body",
      "invalid_request",
      () => world.controlPlane.call("aiAssets.create", owner, { body: { environment: "nowhere" as "unknown" } }),
    ],
    [
      "a NUL, which not every store keeps",
      "invalid_encoding",
      () => world.controlPlane.call("aiAssets.create", owner, { body: { provider: "a\0b" } }),
    ],
    [
      "half of a surrogate pair",
      "invalid_encoding",
      () => world.controlPlane.call("aiAssets.list", owner, { query: { search: "\ud800" } }),
    ],
    [
      "a wrong query",
      "invalid_parameter",
      () => world.controlPlane.call("aiAssets.list", owner, { query: { size: 0 } }),
    ],
    [
      "a stale version",
      "precondition_failed",
      async () =>
        world.controlPlane.call("aiAssets.replace", owner, { params: { id: await world.a.newAsset() }, ifMatch: 7 }),
    ],
    [
      "an unknown tenant",
      "invalid_token",
      () => world.controlPlane.call("aiAssets.list", { ...owner, tenantId: "tnt_nobody" }),
    ],
    [
      "an unknown operation",
      "route_not_found",
      () => world.controlPlane.call("nothing.there" as "aiAssets.list", owner),
    ],
  ])("refuses %s with the same code as HTTP: %s", async (_what, code, act) => {
    await expect(act()).rejects.toMatchObject({ name: "ReeveError", code });
  });

  it.each([
    ["aiAsset.list", /did you mean "aiAssets.list"/],
    ["policies.create", /did you mean .*"aiGovernancePolicies.create"/],
    ["nothing.there", /the reference of operations names them all/],
  ])("names what the unknown operation %s may have meant", async (id, message) => {
    await expect(world.controlPlane.call(id as "aiAssets.list", owner)).rejects.toThrow(message);
  });

  it("refuses members that its input does not have, so that none is lost", async () => {
    const { call, batch } = world.controlPlane;
    const misplaced = { name: "beside the body" } as never;
    const count = async () => (await call("aiAssets.list", owner, { query: { search: "beside" } })).totalItems;
    await expect(call("aiAssets.create", owner, misplaced)).rejects.toMatchObject({
      code: "invalid_request",
      detail: "Unknown in the input: name. An input has params, query, body, ifMatch; fields go into body.",
    });
    const report = await batch("aiAssets.create", owner, [misplaced, { body: { name: "within a body" } }]);
    expect(report).toMatchObject({ failed: 1, failures: [{ index: 0, error: { code: "invalid_request" } }] });
    expect(await count()).toBe(0);
    const { id } = await call("aiAssets.create", owner, { body: { name: "kept" } });
    const blind = { params: { id }, body: { name: "overwritten" }, ifmatch: 1, version: 1 } as never;
    const refusal = { code: "invalid_request", detail: expect.stringContaining("ifmatch, version.") };
    await expect(call("aiAssets.replace", owner, blind)).rejects.toMatchObject(refusal);
    expect((await call("aiAssets.read", owner, { params: { id } })).name).toBe("kept");
  });

  it.each([null, 7, "aiAssets"])("refuses the input %j, which is no object", async (input) => {
    const { call, batch } = world.controlPlane;
    await expect(call("aiAssets.list", owner, input as never)).rejects.toMatchObject({ code: "invalid_request" });
    const report = await batch("aiAssets.create", owner, [input as never]);
    expect(report).toMatchObject({ failed: 1, failures: [{ index: 0, error: { code: "invalid_request" } }] });
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 10n, Symbol("x"), () => 1])(
    "refuses %o in a body, because JSON cannot express it, and says where",
    async (value) => {
      const { call, batch } = world.controlPlane;
      const body = { name: "odd", metadata: { "a/b": [0, { value }] } };
      const errors = [{ pointer: "/metadata/a~1b/1/value", code: "invalid_request" }];
      await expect(call("aiAssets.create", owner, { body })).rejects.toMatchObject({ code: "invalid_request", errors });
      const report = await batch("aiAssets.create", owner, [{ body }, { body: { name: "even" } }]);
      expect(report).toMatchObject({ failed: 1, failures: [{ index: 0, error: { code: "invalid_request", errors } }] });
    },
  );

  it("refuses a user that is not active", async () => {
    const actor = await world.a.newUser(["member"]);
    await world.controlPlane.call("users.patch", owner, { params: { id: actor.userId }, body: { status: "disabled" } });
    await expect(world.controlPlane.principalOf(world.a.tenantId, actor.userId)).rejects.toMatchObject({
      code: "invalid_token",
    });
    await expect(world.controlPlane.principalOf(world.b.tenantId, world.a.owner.userId)).rejects.toMatchObject({
      code: "invalid_token",
    });
  });
});

describe("handle", () => {
  it.each(["/", "/users/42", "/api", "/api/v10/x", "/apiv1", "/health", "/cache/health/x"])(
    "leaves %s to the host",
    async (target) => {
      const request = { method: "GET", target, headers: {}, body: async () => new Uint8Array() };
      expect(await world.controlPlane.handle(request)).toBeUndefined();
    },
  );

  it.each([
    ["GET", "/api/v1"],
    ["GET", "/api/v1/orders"],
    ["GET", "/api/v1/ai-assets/"],
    ["GET", "/api/v1/ai-assets/ast_1/orders"],
    ["GET", "/api/v1/ai-assets/%zz"],
    ["DELETE", "/api/v1/ai-assets"],
    ["OPTIONS", "/api/v1/ai-assets"],
  ])("leaves %s %s to a host that has routes of its own under /api/v1", async (method, target) => {
    const request = { method, target, headers: {}, body: async () => new Uint8Array() };
    expect(await world.controlPlane.handle(request)).toBeUndefined();
  });

  it.each([
    ["GET", "/api/v1", 404, "route_not_found"],
    ["GET", "/api/v1/nothing", 404, "route_not_found"],
    ["GET", "/api/v1/ai-assets/", 404, "route_not_found"],
    ["GET", "/api/v1/AI-ASSETS", 404, "route_not_found"],
    ["GET", "/api/v1//ai-assets", 404, "route_not_found"],
    ["GET", "/api/v1/./ai-assets", 404, "route_not_found"],
    ["GET", "/api/v1/x/../ai-assets", 404, "route_not_found"],
    ["GET", "/api/v1/ai-assets%2f1", 404, "route_not_found"],
    ["GET", "/api/v1/ai-assets;a=1", 404, "route_not_found"],
    ["GET", "/api/v1/ai-assets/%zz", 400, "invalid_encoding"],
    ["GET", "/api/v1/ai-assets/%c0%af", 400, "invalid_encoding"],
    ["TRACE", "/api/v1/ai-assets", 405, "method_not_allowed"],
    ["DELETE", "/api/v1/ai-assets", 405, "method_not_allowed"],
    ["get", "/api/v1/ai-assets", 405, "method_not_allowed"],
    ["OPTIONS", "/api/v1/ai-assets", 405, "method_not_allowed"],
  ])("answers %s %s with %i %s where it is mounted exclusively", async (method, target, status, code) => {
    const answer = await world.send(method, target, { token: world.a.owner.token });
    expect([answer.status, answer.json.code]).toEqual([status, code]);
    if (status === 405) expect(answer.headers.allow).toBe("GET, HEAD, POST");
  });

  it("gives the request id back that it was given, when that is one", async () => {
    const ask = async (id: string) =>
      (await world.send("GET", "/api/v1/monitor/ping", { headers: { "x-request-id": id } })).headers["x-request-id"];
    expect(await ask("abc-1.2_3")).toBe("abc-1.2_3");
    for (const bad of ["", "a b", "x".repeat(65), "a\nb", "<script>", "<script", "script>", "abc\n", "\nabc"])
      expect(await ask(bad)).toMatch(/^req_\d{26}$/);
  });
});

describe("close", () => {
  it("refuses what is new, finishes what is under way, and may be called twice", async () => {
    const { controlPlane, a, send, store } = await createWorld();
    const under = Array.from({ length: 20 }, () => a.newAsset());
    const closing = controlPlane.close();
    const refused = await send("GET", "/api/v1/ai-assets", { token: a.owner.token });
    expect([refused.status, refused.json.code]).toEqual([503, "shutting_down"]);
    expect((await Promise.all(under)).every((id) => id.startsWith("ast_"))).toBe(true);
    await closing;
    await controlPlane.close();
    await expect(store.status()).rejects.toMatchObject({ code: "closed" });
    await expect(controlPlane.call("monitor.ping", undefined)).rejects.toMatchObject({ code: "shutting_down" });
  });
});
