import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { mcpConnector } from "../src/index.js";
import { http, loopback, nodeCommand, programOf, startEverything, stdio } from "./support/targets.js";

const connector = mcpConnector({
  commands: {
    everything: nodeCommand(programOf("everything")),
    filesystem: nodeCommand(programOf("filesystem"), tmpdir()),
    memory: nodeCommand(programOf("memory")),
  },
});
const options = { egress: loopback };

describe("a published server over stdio", () => {
  it.each([
    ["everything", "echo", 10],
    ["filesystem", "read_file", 10],
    ["memory", "create_entities", 9],
  ])("%s is greeted and shows its tools", async (name, tool, least) => {
    const probed = await connector.probe(stdio(name), options);
    expect(probed).toMatchObject({ ok: true, value: { protocol: { era: "legacy" } } });
    const observed = await connector.observe(stdio(name), options);
    if (!observed.ok) throw new Error(JSON.stringify(observed.failure));
    expect(observed.value.tools.map((each) => each.name)).toContain(tool);
    expect(observed.value.tools.length).toBeGreaterThanOrEqual(least);
    expect(observed.value.protocol.negotiated).toMatch(/^\d{4}-\d\d-\d\d$/);
  });
});

describe("a published server over HTTP", () => {
  it.each(["streamableHttp", "sse"] as const)("shows over %s what it shows over stdio", async (mode) => {
    const url = await startEverything(mode);
    const transport = mode === "sse" ? "sse" : "streamable_http";
    const overHttp = await connector.observe(http(url, transport), options);
    const overStdio = await connector.observe(stdio("everything"), options);
    if (!overHttp.ok || !overStdio.ok) throw new Error(JSON.stringify([overHttp, overStdio]));
    expect(overHttp.value.tools).toEqual(overStdio.value.tools);
    expect(overHttp.value.prompts).toEqual(overStdio.value.prompts);
    expect(overHttp.value.resourceTemplates).toEqual(overStdio.value.resourceTemplates);
    expect(overHttp.value.instructions).toBe(overStdio.value.instructions);
    expect(overHttp.value.prompts.length).toBeGreaterThan(0);
    expect(overHttp.value.resources.length).toBeGreaterThan(0);
  });
});
