import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentAccess, accessTo, connect, revoke, say } from "../src/demonstration.js";
import { type Gateway, startGateway } from "../src/gateway.js";
import { type Service, startService } from "../src/service.js";

let service: Service;
let gateway: Gateway;
let access: AgentAccess;
beforeAll(async () => {
  service = await startService();
  gateway = await startGateway({ reeve: service.url });
  access = await accessTo(["get-sum", "toggle-simulated-logging"], service);
});
afterAll(async () => {
  await gateway?.close();
  await service?.close();
});

const named = (client: Awaited<ReturnType<typeof connect>>) =>
  client.listTools().then(({ tools }) => tools.map(({ name }) => name).sort());

describe("a gateway in front of a real MCP server", () => {
  it("takes no client without a token that is good at this moment", async () => {
    expect((await fetch(gateway.url, { method: "POST" })).status).toBe(401);
    await expect(connect(gateway, `att_${"A".repeat(43)}`)).rejects.toThrow();
  });

  it("shows and runs what was granted, and tells the reason of each refusal, until the access is revoked", async () => {
    const client = await connect(gateway, access.token);
    expect(await named(client)).toEqual(["get-sum", "toggle-simulated-logging"]);
    expect(await say(client, "get-sum", { a: 3, b: 4 })).toBe("The sum of 3 and 4 is 7.");
    expect(await say(client, "get-sum", { a: "three", b: 4 })).toMatch(/^refused, invalid_request: /);
    expect(await say(client, "get-sum", { a: 3, b: 4, c: 5 })).toMatch(/^refused, invalid_request: /);
    expect(await say(client, "echo", { message: "x" })).toMatch(/^refused, tool_not_allowed: /);
    const key = { "dev.reeve/idempotency-key": "step-7" };

    const toggle = (meta: object) => say(client, "toggle-simulated-logging", {}, meta as never);
    expect(await toggle({})).toMatch(/^Started simulated/);
    const first = await toggle(key);
    expect(first).toMatch(/^Started simulated/);
    expect(await toggle(key)).toBe(first);
    const headers = { authorization: `Bearer ${access.token}`, "content-type": "application/json" };
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/list",
      params: { more: "x".repeat(1_048_576) },
    });
    expect((await fetch(gateway.url, { method: "POST", headers, body })).status).toBe(413);
    await revoke(service, access);
    await expect(say(client, "get-sum", { a: 3, b: 4 })).rejects.toThrow();
    await client.close();
  });
});
