import { type Answer, createPlane, type Scene, type World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { ulidSource } from "#testing/index.js";
import { providerOf } from "../../helpers/provider.js";
import { createWorld } from "../../helpers/world.js";

const AT = "https://mcp.example/files";
const tool = (name: string, description = `Does ${name}.`, more: object = {}) => ({
  name,
  description,
  inputSchema: { type: "object" },
  ...more,
});

let world: World;
let scene: Scene;
beforeEach(async () => {
  // The clock advances by hours, so tokens have their longest lifetime.
  world = await createWorld({ tokenLifetime: 86_400 });
  scene = world.a;
});

const path = (id: string, rest = "") => `/api/v1/ai/mcp-servers/${id}${rest}`;
const send = (method: string, target: string, body?: object, token = scene.owner.token): Promise<Answer> =>
  scene.send(method as "GET", target, { token, ...(body ? { body } : {}) });
const newServer = (more: object = {}, who = scene.actors.operator) =>
  scene.newMcpServer({ url: AT, auth: { type: "none" }, ...more }, who);
const statuses = async (id: string) => {
  const { json } = await send("GET", path(id, "/tools?size=100"));
  return Object.fromEntries(json.items.map((one: { toolName: string; status: string }) => [one.toolName, one.status]));
};
const typesOf = async (id: string) => {
  const { json } = await send("GET", `/api/v1/ai/activity/${id}?size=100`);
  return json.items.map(({ type }: { type: string }) => type.replace(/^reeve\.|\.v1$/g, ""));
};

describe("the clock", () => {
  it("probes a new server, then at its interval, and scans where it is wanted", async () => {
    const id = await newServer({ scanIntervalSec: 3_600 });
    await world.controlPlane.tick();
    const kinds = () => world.mcp.calls.filter(({ target }) => target.url === AT).map(({ kind }) => kind);
    expect(kinds()).toEqual(["observe"]);
    expect((await statuses(id)).look).toBe("pending_review");
    await world.controlPlane.tick();
    expect(kinds()).toEqual(["observe"]);
    world.clock.advance(300_001);
    await world.controlPlane.tick();
    expect(kinds()).toEqual(["observe", "probe"]);
    world.clock.advance(3_600_001);
    await world.controlPlane.tick();
    expect(kinds().at(-1)).toBe("observe");
  });

  it("stores nothing of a scan that finds more tools than the tenant may have, and goes on once it may", async () => {
    const { post } = providerOf(world);
    const limit = `tenants/${scene.tenantId}/entitlements/limit/assets`;
    const id = await newServer({ scanIntervalSec: 3_600 });
    const { totalItems: there } = (await send("GET", "/api/v1/ai-assets?size=1")).json;
    await post(limit, { configuration: { value: there + 1 } });
    world.mcp.report(AT, { tools: [tool("read"), tool("write")] });
    await world.controlPlane.tick();
    expect(await statuses(id)).toEqual({});
    const { json } = await send("GET", `/api/v1/ai/activity/${id}?type=mcp.scanned&size=1`);
    expect(json.items[0].data).toMatchObject({ error: { code: "too_many", reason: "limit_exceeded" } });
    await post(limit, { configuration: { value: there + 2 } });
    world.clock.advance(3_600_001);
    await world.controlPlane.tick();
    expect(await statuses(id)).toEqual({ read: "pending_review", write: "pending_review" });
  });

  it("asks a silent server ever more seldom and finds it again by itself", async () => {
    const id = await newServer();
    world.mcp.report(AT, { code: "unreachable", reason: "unreachable" });
    const looks = () => world.mcp.calls.filter(({ target }) => target.url === AT).length;
    const pauses: number[] = [];
    let last = 0;
    for (let minute = 0; looks() < 5; minute++) {
      const before = looks();
      await world.controlPlane.tick();
      if (looks() > before) {
        pauses.push(minute - last);
        last = minute;
      }
      world.clock.advance(60_000);
    }
    expect(pauses.slice(1).every((pause, index) => index === 0 || pause >= (pauses[index] ?? 0))).toBe(true);
    expect((await send("GET", path(id))).json.connection).toBe("unreachable");
    world.mcp.report(AT, {});
    world.clock.advance(3_600_001);
    await world.controlPlane.tick();
    expect((await send("GET", path(id))).json).toMatchObject({ connection: "reachable", consecutiveFailures: 0 });
  });

  it("does not ask servers that are off, retired or gone, and asks one that was moved at once", async () => {
    const off = await newServer({ healthCheck: { enabled: false } });
    const gone = await newServer({ url: `${AT}/gone` });
    await send("DELETE", path(gone));
    const moved = await newServer({ url: `${AT}/first` });
    await world.controlPlane.tick();
    await send("PUT", path(moved), { url: `${AT}/second` });
    await world.controlPlane.tick();
    const asked = world.mcp.calls.map(({ target }) => target.url).filter((url) => url?.startsWith(AT));
    expect(asked).toEqual([`${AT}/first`, `${AT}/second`]);
    expect((await send("GET", path(off))).json.connection).toBe("disabled");
    const probed = await send("POST", path(off, "/probe"));
    expect(probed.json).toMatchObject({ probe: { outcome: "ok" }, connection: "disabled" });
  });

  it("shares the servers between control planes that tick at once", async () => {
    for (let one = 0; one < 12; one++) await newServer({ url: `${AT}/${one}` });
    const before = world.mcp.calls.length;
    const other = createPlane({ store: world.store, mcp: world.mcp, ids: ulidSource() });
    await Promise.all([world.controlPlane.tick(), other.controlPlane.tick(), world.controlPlane.tick()]);
    const asked = world.mcp.calls
      .slice(before)
      .map(({ target }) => target.url)
      .filter((url) => url?.startsWith(AT));
    expect(asked).toHaveLength(12);
    expect(new Set(asked).size).toBe(12);
  });

  it.each(["ai.mcp", "connectors.outbound"])("does not ask while %s of the provider is engaged", async (key) => {
    const id = await newServer();
    const engage = (status: string) =>
      world.send("POST", `/api/v1/support/kill-switches/${key}`, {
        token: world.provider.owner.token,
        body: { status, reason: "because a test wants it so" },
      });
    await engage("engaged");
    await world.controlPlane.tick();
    const { token } = world.a.owner;
    const asked = await world.send("POST", `/api/v1/ai/mcp-servers/${id}/probe`, { token });
    expect([asked.status, asked.json.code, world.mcp.calls]).toEqual([503, "kill_switch_active", []]);
    await engage("released");
    await world.controlPlane.tick();
    expect(world.mcp.calls.map(({ target }) => target.url)).toContain(AT);
  });

  it("leaves no event for a probe that finds nothing new", async () => {
    const id = await newServer();
    await world.controlPlane.tick();
    const first = await typesOf(id);
    world.clock.advance(300_001);
    await world.controlPlane.tick();
    expect(await typesOf(id)).toEqual(first);
    expect(first).toContain("mcp_server.connection.changed");
  });
});
