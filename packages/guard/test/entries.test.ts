import { ToolMessage } from "@langchain/core/messages";
import { tool as langchainTool } from "@langchain/core/tools";
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { type Guard, openGuard } from "@reeve/guard";
import { guardTools as guardAiSdk } from "@reeve/guard/ai-sdk";
import { guardTools as guardLangchain } from "@reeve/guard/langchain";
import { guardHandler, META } from "@reeve/guard/mcp";
import { tool as aiTool } from "ai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type Known, WAYS, World } from "./story/world.js";

let world: World;
let known: Known;
let guard: Guard;
beforeAll(async () => {
  world = await World.open();
  known = await world.fill();
  guard = await openGuard({ reeve: world.backend("in process", known), agent: "Teller", timeoutMs: 60_000 });
});
afterAll(() => world.close());

describe("a tool of LangChain", () => {
  const asTool = (name: string) => ({ name, description: name, schema: z.object({ query: z.string() }) });
  const called = (name: string) => ({ type: "tool_call" as const, id: "call-1", name, args: { query: "x" } });

  it("that gives content and artifact gives both of a refusal", async () => {
    const format = { responseFormat: "content_and_artifact" as const };
    const own = [langchainTool(() => ["text", { size: 1 }], { ...asTool("wire"), ...format })];
    const [wire] = guardLangchain(guard, own);
    const message = await wire?.invoke(called("wire"));
    expect(ToolMessage.isInstance(message) && [message.content, message.artifact]).toEqual([
      expect.stringContaining("Agents wire nothing."),
      expect.objectContaining({ refused: true, code: "denied" }),
    ]);
  });

  it("that gives its result piece by piece is watched to its end", async () => {
    async function* pieces() {
      yield "one";
      yield "two";
      return "both";
    }
    const [search] = guardLangchain(guard, [langchainTool(pieces, asTool("search"))]);
    expect(await search?.invoke(called("search"))).toMatchObject({ content: "both" });
  });
});

describe("a tool of the AI SDK", () => {
  const options = { toolCallId: "call-1", messages: [] };

  it("that gives its result piece by piece gives the last piece", async () => {
    async function* execute() {
      yield "one";
      yield "two";
    }
    const { search } = guardAiSdk(guard, { search: aiTool({ inputSchema: z.object({}), execute }) });
    expect(await search.execute?.({}, options)).toBe("two");
  });

  it("keeps what the framework reads of it", () => {
    const own = aiTool({
      description: "Looks",
      inputSchema: z.object({}),
      execute: () => "x",
      toModelOutput: undefined,
    });
    const { search } = guardAiSdk(guard, { search: own });
    expect({ ...search, execute: own.execute }).toEqual(own);
  });
});

describe("a handler of an MCP server", () => {
  it("may have no arguments, and the guard of each request is found by its context", async () => {
    const server = new McpServer({ name: "Payments", version: "1.0.0" });
    const asked: string[] = [];
    const byRequest = async ({ mcpReq }: { readonly mcpReq: { readonly method: string } }) => {
      asked.push(mcpReq.method);
      return guard;
    };
    for (const name of ["search", "wire"]) {
      const handler = () => ({ content: [{ type: "text" as const, text: "done" }] });
      server.registerTool(name, { description: name }, guardHandler(byRequest, name, handler));
    }
    const [near, far] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: "host", version: "1.0.0" });
    await Promise.all([server.connect(far), client.connect(near)]);
    expect(await client.callTool({ name: "search" })).toMatchObject({ content: [{ text: "done" }] });
    expect(await client.callTool({ name: "wire" })).toMatchObject({
      isError: true,
      _meta: { [META]: { refused: true, code: "denied", decisionId: expect.stringMatching(/^dec_/) } },
    });
    expect(asked).toEqual(["tools/call", "tools/call"]);
    await Promise.all([client.close(), server.close()]);
  });
});

describe.each(WAYS)("%s, a suspension", (way) => {
  it("lets a running call finish, and starts no other", async () => {
    const session = await world.startSession("Teller");
    const run = await openGuard({ reeve: world.backend(way, known), agent: "Teller", session });
    const params = { id: session };
    const outcome = await run.call("search", { query: "x" }, async () => {
      const body = { reason: "Somebody has to look at it first." };
      await world.call("aiSessions.suspend", world.grace, { params, body });
      return "found";
    });
    expect(outcome).toEqual({ refused: false, value: "found" });
    await expect(run.call("search", {}, () => "found")).rejects.toMatchObject({ status: "suspended" });
    expect(run.signal.aborted).toBe(true);
    await run.close();
    const { enforcement } = await world.call("aiSessions.read", world.ada, { params });
    expect(enforcement.state).toBe("confirmed");
  });
});
