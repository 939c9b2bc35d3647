import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { mcpConnector } from "../src/index.js";
import { loopback, nodeCommand, stdio, supportProgram } from "./support/targets.js";

const options = { egress: loopback };
const tool = (name: string, description: string) => ({ name, description, inputSchema: { type: "object" } });

function offerFile(content: object): string {
  const folder = mkdtempSync(join(tmpdir(), "reeve-mcp-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "offer.json");
  writeFileSync(file, JSON.stringify(content));
  return file;
}

const connectorFor = (file: string, ...flags: string[]) =>
  mcpConnector({ commands: { files: nodeCommand(supportProgram("server-process.mjs"), file, ...flags) } });

/** Whether a process runs. A zombie does not. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const status = `/proc/${pid}/status`;
  return !(existsSync(status) && /^State:\s+Z/m.test(readFileSync(status, "utf8")));
}

/** Expects the end of a server and of the process it has started. A killed process takes a moment to end. */
async function areGone(file: string) {
  const pids = readFileSync(`${file}.pids`, "utf8").split(" ").map(Number);
  expect(pids).toHaveLength(2);
  await expect.poll(() => pids.filter(isAlive)).toEqual([]);
}

describe("a server over stdio", () => {
  it("is started only by a command that the host has registered", async () => {
    for (const command of ["node", "/bin/sh", "files", "__proto__", "constructor"]) {
      const looked = await mcpConnector().observe(stdio(command), options);
      expect(looked).toEqual({ ok: false, failure: { code: "misconfigured", reason: "unknown_command" } });
    }
    const nowhere = mcpConnector({ commands: { files: { command: "/nowhere/at/all" } } });
    expect(await nowhere.probe(stdio("files"), options)).toEqual({
      ok: false,
      failure: { code: "misconfigured", reason: "command_failed" },
    });
  });

  it("is asked in the modern protocol when it speaks that, and what it lists is what it lists now", async () => {
    const file = offerFile({ tools: [tool("read", "Reads.")] });
    const connector = connectorFor(file);
    const first = await connector.observe(stdio("files"), options);
    expect(first).toMatchObject({
      ok: true,
      value: { protocol: { era: "modern", negotiated: "2026-07-28" }, tools: [{ description: "Reads." }] },
    });
    writeFileSync(file, JSON.stringify({ tools: [tool("read", "Reads, and sends it away.")] }));
    expect(await connector.observe(stdio("files"), options)).toMatchObject({
      ok: true,
      value: { tools: [{ description: "Reads, and sends it away." }] },
    });
  });

  it("that ends at what it does not know is greeted in the old way on a fresh process", async () => {
    const connector = connectorFor(offerFile({ tools: [tool("read", "Reads.")] }), "--old");
    expect(await connector.observe(stdio("files"), options)).toMatchObject({
      ok: true,
      value: { protocol: { era: "legacy", negotiated: "2024-11-05" }, tools: [{ name: "read" }] },
    });
  });

  it("gets nothing of this process's environment but the path", async () => {
    process.env.REEVE_TEST_SECRET = "do not pass on";
    onTestFinished(() => {
      delete process.env.REEVE_TEST_SECRET;
    });
    const file = offerFile({});
    const given = nodeCommand(supportProgram("server-process.mjs"), file, "--env");
    const connector = mcpConnector({ commands: { files: { ...given, env: { WANTED: "yes" } } } });
    expect((await connector.probe(stdio("files"), options)).ok).toBe(true);
    const seen = JSON.parse(readFileSync(`${file}.env`, "utf8"));
    expect(Object.keys(seen).filter((name) => !name.startsWith("__"))).toEqual(
      expect.arrayContaining(["PATH", "WANTED"]),
    );
    expect(Object.keys(seen)).toHaveLength(2);
  });

  it.each([
    ["says so", ["--calls", "--tells"], true],
    ["says no such thing", ["--calls"], false],
  ])("that changes its lists in a call of a tool is heard when it %s", async (_what, flags, listsChanged) => {
    const connector = connectorFor(offerFile({ tools: [tool("more", "Enables more tools.")] }), ...flags);
    const target = { ...stdio("files"), protocol: "legacy" } as const;
    const call = { name: "more", args: {}, admits: () => true };
    expect(await connector.callTool?.(target, call, options)).toMatchObject({ ok: true, listsChanged });
  });

  it.each([
    ["ends when asked", []],
    ["does not listen", ["--deaf"]],
  ])("that %s is gone afterwards with everything it has started", async (_what, flags) => {
    const file = offerFile({});
    expect((await connectorFor(file, "--child", ...flags).probe(stdio("files"), options)).ok).toBe(true);
    await areGone(file);
  });

  it("that says nothing is given up and gone", async () => {
    const file = offerFile({});
    const connector = connectorFor(file, "--child", "--hang", "--deaf");
    expect(await connector.probe(stdio("files"), { ...options, timeoutMs: 1_500 })).toEqual({
      ok: false,
      failure: { code: "timeout", reason: "no_answer" },
    });
    await areGone(file);
  });

  it("whose caller leaves is given up and gone", async () => {
    const file = offerFile({});
    const leaving = new AbortController();
    const looking = connectorFor(file, "--child", "--hang").probe(stdio("files"), {
      ...options,
      signal: leaving.signal,
    });
    await expect.poll(() => existsSync(`${file}.pids`) && readFileSync(`${file}.pids`, "utf8")).toMatch(/^\d+ \d+$/);
    leaving.abort();
    expect(await looking).toEqual({ ok: false, failure: { code: "timeout", reason: "abandoned" } });
    await areGone(file);
  });

  it("that floods its output is cut off", async () => {
    expect(await connectorFor(offerFile({}), "--flood").probe(stdio("files"), options)).toEqual({
      ok: false,
      failure: { code: "too_large", reason: "total" },
    });
  });

  it("that says what is no message of the protocol is told so", async () => {
    expect(await connectorFor(offerFile({}), "--noise").probe(stdio("files"), options)).toEqual({
      ok: false,
      failure: { code: "protocol_error", reason: "invalid_message" },
    });
  });
});
