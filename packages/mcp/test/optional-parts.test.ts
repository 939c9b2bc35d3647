import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { McpLaunch, McpOutcome, McpSnapshot } from "@reeve/core";
import { type McpOffer, startMcpServer } from "@reeve/testkit/mcp";
import { describe, expect, it, onTestFinished } from "vitest";
import { type McpCommand, mcpConnector } from "../src/index.js";
import { http, loopback, nodeCommand, programOf, stdio, supportProgram } from "./support/targets.js";

const options = { egress: loopback };
const tools = [{ name: "read", description: "Reads.", inputSchema: { type: "object" } }];

function accepted<T>(outcome: McpOutcome<T>): T {
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.failure));
  return outcome.value;
}

async function overHttp(offer: McpOffer): Promise<McpSnapshot> {
  const server = await startMcpServer({ tools, ...offer });
  onTestFinished(() => server.stop());
  return accepted(await mcpConnector().observe(http(server.url), options));
}

function command(...flags: string[]): McpCommand {
  const folder = mkdtempSync(join(tmpdir(), "reeve-mcp-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "offer.json");
  writeFileSync(file, JSON.stringify({ tools }));
  return nodeCommand(supportProgram("server-process.mjs"), file, ...flags);
}

const overStdio = async (given: McpCommand, more: object = {}) =>
  accepted(await mcpConnector({ commands: { it: given } }).observe({ ...stdio("it"), ...more }, options));

describe("a server that declares what it does not have", () => {
  const leftOut = [
    { part: "prompts", reason: "method_not_found" },
    { part: "resources", reason: "method_not_found" },
  ];

  it.each(["modern", "legacy"] as const)("is read without it in the %s era, and it is told", async (era) => {
    const seen = await overHttp({ era, unanswered: ["prompts", "resources"] });
    expect(seen).toMatchObject({ tools, prompts: [], resources: [], leftOut, protocol: { era } });
    expect(await overHttp({ era, prompts: [], resources: [] })).not.toHaveProperty("leftOut");
  });

  it.each([
    ["modern", []],
    ["legacy", ["--old"]],
  ] as const)("is read so over stdio in the %s era", async (era, flags) => {
    const seen = await overStdio(command("--no-prompts", ...flags));
    expect(seen).toMatchObject({ tools, prompts: [], resources: [], leftOut, protocol: { era } });
  });

  it("is read without a part that holds what cannot be read, and never without its tools", async () => {
    const bad = await overHttp({ prompts: [{ name: "p", arguments: ["a"] }], resources: [{ uri: "a" }] });
    expect(bad).toMatchObject({
      tools,
      leftOut: [
        { part: "prompts", reason: "invalid_answer" },
        { part: "resources", reason: "invalid_answer" },
      ],
    });
    const twice = await overHttp({ resourceTemplates: [1, 2].map(() => ({ uriTemplate: "a:{b}", name: "a" })) });
    expect(twice.leftOut).toContainEqual({ part: "resourceTemplates", reason: "duplicate_name" });
    await expect(overHttp({ tools: [{ name: "x" }], unanswered: ["prompts"] })).rejects.toThrow("protocol_error");
  });
});

describe("an entry with optional members of another type", () => {
  it("is read without them, and they are named", async () => {
    const odd = { title: 7, annotations: [], icons: "none", outputSchema: true, execution: null, _meta: "x" };
    const seen = await overHttp({ era: "legacy", tools: [...tools, { ...tools[0], name: "odd", ...odd }] });
    const leftOut = ["title", "outputSchema", "annotations", "icons", "_meta"];
    expect(seen.tools).toEqual([...tools, { ...tools[0], name: "odd", leftOut }]);
    await expect(overHttp({ tools: [{ ...tools[0], description: "a\0b" }] })).rejects.toThrow("protocol_error");
  });
});

describe("as whom a server is asked", () => {
  it("is what the target says, because a published server shows more to a client that can do more", async () => {
    const everything = nodeCommand(programOf("everything"));
    const plain = await overStdio(everything);
    const capabilities = ["roots", "sampling", "elicitation"] as const;
    const able = await overStdio(everything, { client: { name: "desk", capabilities } });
    const more = able.tools.map(({ name }) => name).filter((name) => !plain.tools.some((tool) => tool.name === name));
    expect(more).toEqual(expect.arrayContaining(["get-roots-list", "trigger-sampling-request"]));
  });
});

describe("what a server is started with", () => {
  it("is told by digests of names of variables, arguments and folder, and not of a value", async () => {
    const given = command();
    const launch = async (more: Partial<McpCommand>) => (await overStdio({ ...given, ...more })).launch as McpLaunch;
    const first = await launch({ env: { URL: "mongodb://one", A: "1" } });
    expect(await launch({ env: { A: "2", URL: "mongodb://two" } })).toEqual(first);
    const changed = {
      environment: await launch({ env: { URL: "x" } }),
      arguments: await launch({ env: { URL: "x", A: "1" }, args: [...(given.args ?? []), "--more"] }),
      folder: await launch({ env: { URL: "x", A: "1" }, cwd: tmpdir() }),
    };
    for (const [part, now] of Object.entries(changed))
      expect({ ...first, ...{ [part]: 0 } }).toEqual({ ...now, [part]: 0 });
    expect(new Set([first, ...Object.values(changed)].map((one) => JSON.stringify(one))).size).toBe(4);
    expect(await overHttp({})).not.toHaveProperty("launch");
  });
});

describe("a server that starts slowly", () => {
  it("is asked in the version that it spoke before, and not taken for one of the older era", async () => {
    const slow = command("--slow");
    expect((await overStdio(slow)).protocol.era).toBe("legacy");
    expect((await overStdio(slow, { confirmedVersion: "2026-07-28" })).protocol.era).toBe("modern");
  });

  it("is told as older when it does not speak that version any more", async () => {
    const old = command("--old");
    expect((await overStdio(old, { confirmedVersion: "2026-07-28" })).protocol.era).toBe("legacy");
    const server = await startMcpServer({ tools, era: "legacy" });
    onTestFinished(() => server.stop());
    const target = { ...http(server.url), confirmedVersion: "2026-07-28" };
    expect(accepted(await mcpConnector().probe(target, options)).protocol.era).toBe("legacy");
  });
});
