import { randomBytes } from "node:crypto";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { ScriptedChat } from "./drivers/langchain.js";
import { ScriptedV3 } from "./drivers/scripted-v3.js";
import { Tools } from "./story/driver.js";
import { GUIDE_CALLS, guideFile, playGuide } from "./story/guide.js";
import { type Known, World } from "./story/world.js";

let world: World;
let known: Known;
beforeAll(async () => {
  world = await World.open();
  known = await world.fill();
});
afterAll(() => world.close());

const installed = fileURLToPath(new URL("..", import.meta.url));
const play = (block: string, given: object) => {
  const file = guideFile(block, inject("temporaryFolder"), installed, inject("programs"));
  return playGuide(world, known, pathToFileURL(file).href, given);
};

describe("docs/guides/guards.md", () => {
  it.each([
    ["guard-langchain", () => new ScriptedChat(GUIDE_CALLS, new Tools())],
    ["guard-ai-sdk", () => new ScriptedV3(GUIDE_CALLS, new Tools())],
  ])("shows %s as it runs", async (block, model) => {
    expect(await play(block, { model: model() })).toEqual([20]);
  });

  it("shows an MCP server as it runs", async () => {
    const [near, transport] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: "host", version: "1.0.0" });
    const paid = play("guard-mcp", { transport });
    await client.connect(near);
    await paid;
    const { content } = await client.callTool({ name: "refund", arguments: { amount: 20, to: "Ada" } });
    expect([content, await paid]).toEqual([[{ type: "text", text: "Paid 20." }], [20]]);
    await client.close();
  });

  it("shows an MCP server whose calls wait for approval as it runs", async () => {
    const [near, transport] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: "host", version: "1.0.0" }, { capabilities: { elicitation: { url: {} } } });
    client.setRequestHandler("elicitation/create", async ({ params: { message } }) => {
      const id = /apr_\w+/.exec(message)?.[0] as string;
      await world.call("aiApprovals.approve", world.grace, { params: { id } });
      return { action: "accept" };
    });
    const paid = play("guard-mcp-approvals", { transport, key: randomBytes(32) });
    await client.connect(near);
    await paid;
    const { content } = await client.callTool({ name: "refund", arguments: { amount: 300, to: "Ada" } });
    expect([content, await paid]).toEqual([[{ type: "text", text: "Paid 300." }], [300]]);
    await client.close();
  });
});
