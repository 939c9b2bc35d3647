import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentAccess, accessTo, connect, revoke, say } from "../src/demonstration.js";
import { type Gateway, startGateway } from "../src/gateway.js";
import { type Service, startService } from "../src/service.js";
import { TOOLS } from "../src/tools.js";

let service: Service;
let gateway: Gateway;
let access: AgentAccess;
beforeAll(async () => {
  service = await startService();
  gateway = await startGateway({ reeve: service.url, tools: TOOLS });
  access = await accessTo("get-sum", service);
});
afterAll(async () => {
  await gateway?.close();
  await service?.close();
});

describe("a gateway in front of a real MCP server", () => {
  it("takes no client without a token, and lets one with a token that was never issued call nothing", async () => {
    expect((await fetch(gateway.url, { method: "POST" })).status).toBe(401);
    const stranger = await connect(gateway, `att_${"A".repeat(43)}`);
    expect(await say(stranger, "get-sum", { a: 1, b: 2 })).toMatch(/^refused, invalid_token: /);
    await stranger.close();
  });

  it("runs what was granted, and tells the reason of each refusal, until the access is revoked", async () => {
    const client = await connect(gateway, access.token);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["echo", "get-sum"]);
    expect(await say(client, "get-sum", { a: 3, b: 4 })).toBe("The sum of 3 and 4 is 7.");
    expect(await say(client, "get-sum", { a: "three", b: 4 })).toMatch(/^refused, invalid_request: /);
    expect(await say(client, "get-sum", { a: 3, b: 4, c: 5 })).toMatch(/^refused, invalid_request: /);
    expect(await say(client, "echo", { message: "x" })).toMatch(/^refused, tool_not_allowed: /);
    await revoke(service, access);
    expect(await say(client, "get-sum", { a: 3, b: 4 })).toMatch(/^refused, invalid_token: /);
    await client.close();
  });
});
