import type { World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";

const AT = "https://mcp.example/replayed";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

describe("a request that is repeated with its Idempotency-Key", () => {
  it.each(["probe", "scan"])("K7 does not call a server again for a %s, and gets the first answer", async (verb) => {
    const id = await world.a.newMcpServer({ url: AT, auth: { type: "none" } });
    world.mcp.report(AT, { tools: [{ name: "read", description: "Reads.", inputSchema: { type: "object" } }] });
    const target = `/api/v1/ai/mcp-servers/${id}`;
    const { headers } = await world.a.send("GET", target, { token: world.a.owner.token });
    const ask = () =>
      world.a.send("POST", `${target}/${verb}`, {
        token: world.a.owner.token,
        headers: { "idempotency-key": `one-${verb}`, "if-match": String(headers.etag) },
      });
    const before = world.mcp.calls.length;
    const first = await ask();
    expect(first.status, first.text).toBe(200);
    const called = world.mcp.calls.length;
    expect(called).toBeGreaterThan(before);
    const again = await ask();
    expect(again).toMatchObject({ status: 200, text: first.text });
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(world.mcp.calls.length).toBe(called);
  });

  it("K7 gets its kept answer though the version in If-Match has passed", async () => {
    const id = await world.a.newAsset();
    const target = `/api/v1/ai-assets/${id}/metadata`;
    const { headers } = await world.a.send("GET", `/api/v1/ai-assets/${id}`, { token: world.a.owner.token });
    const ask = () =>
      world.a.send("PATCH", target, {
        token: world.a.owner.token,
        body: { metadata: { team: "one" } },
        headers: { "idempotency-key": "one-move", "if-match": String(headers.etag) },
      });
    const first = await ask();
    expect(first.status, first.text).toBe(200);
    expect(first.headers.etag).not.toBe(headers.etag);
    expect(await ask()).toMatchObject({ status: 200, text: first.text });
    const stale = await world.a.send("PATCH", target, {
      token: world.a.owner.token,
      body: { metadata: { team: "two" } },
      headers: { "idempotency-key": "another-move", "if-match": String(headers.etag) },
    });
    expect(stale.status).toBe(412);
  });
});
