import type { GrantSpec } from "@reeve/core/connectors";
import { ChaosConnector, connectorCalls, connectorParts, listAll } from "@reeve/testkit/connectors";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { filesOf } from "../../src/fossil/check-in.js";
import { fossil } from "../../src/fossil/index.js";
import { type FossilServer, FRIDA, fossilServer, installed, PASSWORD } from "./server.js";

const connector = fossil();

function partsOf(server: FossilServer, { password = PASSWORD, ...config }: Record<string, unknown> = {}) {
  return connectorParts(connector, {
    config: { baseUrl: server.url, repositories: ["agents", "tools"], user: "admin", ...config },
    secrets: { password: String(password) },
    allow: ["127.0.0.1/32"],
  });
}

const callsOf = (server: FossilServer, given?: Record<string, unknown>) =>
  connectorCalls(connector, partsOf(server, given));

describe.skipIf(installed.path === undefined)(`a Fossil server${installed.note}`, () => {
  let server: FossilServer;
  let agents: string;
  let calls: ReturnType<typeof callsOf>;
  beforeAll(async () => {
    server = await fossilServer();
    calls = callsOf(server);
    const { items } = await listAll((page) => calls.listResources("repository", page));
    agents = items.find(({ name }) => name === "agents")?.externalId as string;
  });
  beforeEach(async () => {
    for (const user of ["bob", "carol"]) await server.setCapabilities("agents", user, "p");
    await server.setCapabilities("agents", "nobody", "");
  });
  afterAll(() => server?.close());

  const specOf = (role: string, user = "bob", resource = agents): GrantSpec => ({
    grantKey: `${resource}:${user}:${role}`,
    resource: { type: "repository", externalId: resource },
    profileExternalId: role,
    principal: { type: "user", externalId: user },
    parameters: {},
  });

  it("lets somebody clone who was denied, and denies again when it is revoked", async () => {
    const spec = specOf("read");
    expect([await server.bobClones("agents"), (await calls.verify(spec)).presence]).toEqual([false, "absent"]);
    expect((await calls.grant(spec)).outcome).toBe("applied");
    expect([await server.bobClones("agents"), (await calls.verify(spec)).presence]).toEqual([true, "present"]);
    expect(await server.bobClones("tools")).toBe(false);
    expect((await calls.revoke(spec)).outcome).toBe("applied");
    expect([await server.bobClones("agents"), (await calls.verify(spec)).presence]).toEqual([false, "absent"]);
  });

  it("is granted and revoked once, and keeps capabilities that are of no role", async () => {
    await server.setCapabilities("agents", "bob", "bpx");
    expect((await calls.grant(specOf("read"))).outcome).toBe("applied");
    expect((await calls.grant(specOf("read"))).outcome).toBe("already_applied");
    expect(await calls.modify(specOf("read"), specOf("write"))).toMatchObject({
      outcome: "applied",
      replaced: ["read"],
    });
    expect((await calls.revoke(specOf("read"))).outcome).toBe("already_applied");
    expect((await calls.verify(specOf("read"))).presence).toBe("mismatch");
    expect((await calls.revoke(specOf("write"))).outcome).toBe("applied");
    expect((await calls.revoke(specOf("write"))).outcome).toBe("already_applied");
    expect([...(await server.capabilities("agents", "bob"))].sort().join("")).toMatch(/bpx$/);
  });

  it("has granted and revoked once after answers that were lost, hung and lied", async () => {
    const spec = specOf("read");
    const subject = spec.grantKey;
    const chaos = new ChaosConnector(connector, [
      { method: "grant", subject, attempt: 1, phase: "after", kind: "error", errorClass: "outcome_unknown" },
      { method: "verify", subject, attempt: 1, phase: "before", kind: "hang" },
      { method: "revoke", subject, attempt: 1, phase: "response", kind: "partial_revoke" },
      { method: "revoke", subject, attempt: 2, phase: "after", kind: "hang" },
    ]);
    const troubled = chaos.calls(partsOf(server));
    await expect(troubled.grant(spec)).rejects.toMatchObject({ errorClass: "outcome_unknown" });
    await expect(troubled.verify(spec)).rejects.toMatchObject({ errorClass: "transient" });
    expect((await troubled.verify(spec)).presence).toBe("present");
    expect((await troubled.grant(spec)).outcome).toBe("already_applied");
    expect((await troubled.revoke(spec)).outcome).toBe("applied");
    expect((await troubled.verify(spec)).presence).toBe("present");
    await expect(troubled.revoke(spec)).rejects.toMatchObject({ errorClass: "outcome_unknown" });
    expect((await troubled.verify(spec)).presence).toBe("absent");
    expect(await server.bobClones("agents")).toBe(false);
    chaos.finish();
  });

  it("asks no other repository for one that it has found before", async () => {
    const parts = partsOf(server);
    const remembering = connectorCalls(connector, parts);
    const { items } = await listAll((page) => remembering.listResources("repository", page));
    const tools = items.find(({ name }) => name === "tools")?.externalId as string;
    const asked = async () => {
      const before = parts.egress.calls.length;
      await remembering.verify(specOf("read", "bob", tools));
      const paths = parts.egress.calls.slice(before).map((call) => ("url" in call ? new URL(call.url).pathname : ""));
      return new Set(paths.map((path) => path.split("/")[1]));
    };
    expect(await asked()).toEqual(new Set(["agents", "tools"]));
    expect(await asked()).toEqual(new Set(["tools"]));
  });

  it("lists who has access, and leaves out patterns and the public", async () => {
    await calls.grant(specOf("write", "carol"));
    const { items, complete } = await listAll((page) => calls.listGrants({}, page), 1);
    const reported = items.map(({ principal, profileExternalId, resource }) => [
      principal.externalId,
      profileExternalId,
      resource.externalId === agents,
    ]);
    expect(complete).toBe(true);
    expect(reported.sort()).toEqual([
      ["admin", "setup", false],
      ["admin", "setup", true],
      ["carol", "write", true],
      ["frida", "setup", false],
      ["frida", "setup", true],
    ]);
  });

  it("warns of repositories that everybody may read", async () => {
    const checksOf = async () => (await calls.testConnection()).checks;
    expect(new Set((await checksOf()).map(({ status }) => status))).toEqual(new Set(["pass"]));
    await server.setCapabilities("agents", "nobody", "go");
    expect((await checksOf()).filter(({ status }) => status !== "pass")).toMatchObject([
      { id: "public", status: "warn", message: "Everybody may read: agents." },
    ]);
  });

  it("tells beforehand that a user with `a` alone lists, and changes nothing", async () => {
    await server.setCapabilities("agents", FRIDA.name, "a");
    const frida = callsOf(server, { user: FRIDA.name, password: FRIDA.password, repositories: ["agents"] });
    const { checks } = await frida.testConnection();
    const failing = checks.filter(({ status }) => status === "fail").map(({ capability }) => capability);
    expect(failing).toEqual(["grant", "revoke", "modify"]);
    expect((await listAll((page) => frida.listGrants({}, page))).complete).toBe(true);
    await expect(frida.grant(specOf("read"))).rejects.toMatchObject({ errorClass: "permission" });
    await server.setCapabilities("agents", FRIDA.name, "s");
  });

  it.each([
    ["a wrong password", { password: "wrong" }, "auth"],
    ["a user without the right to manage others", { user: "bob", password: "bobs-own-password" }, "permission"],
    // Fossil breaks the connection off without an answer.
    ["a repository that is not there", { repositories: ["nowhere"] }, "transient"],
  ])("refuses %s as such", async (_what, config, errorClass) => {
    await expect(callsOf(server, config).testConnection()).rejects.toMatchObject({ errorClass });
  });

  it.each([
    ["a repository that is not there", () => specOf("read", "bob", "0".repeat(40)), "not_found"],
    ["a user that is not there", () => specOf("read", "nobody-here"), "not_found"],
    ["the public", () => specOf("read", "nobody"), "unsupported"],
    ["a role that is not there", () => specOf("root"), "invalid"],
  ])("grants nothing to %s, and never calls it absent", async (_what, spec, errorClass) => {
    for (const call of [calls.grant, calls.revoke, calls.verify])
      await expect(call(spec())).rejects.toMatchObject({ errorClass });
  });

  it("finds AI in the newest check-in, beside hostile files", async () => {
    const commit = await server.commit("agents", {
      ".mcp.json": '{\n"mcpServers":{\n"docs":{"url":"https://docs.example.com/mcp"}}}',
      "a b/AGENTS.md": "Be kind.",
      "a b/CLAUDE.md": "-> AGENTS.md",
      "big/AGENTS.md": "x".repeat(400_000),
      "broken/.mcp.json": "{",
      "package.json": '{"dependencies":{"openai":"6"}}',
    });
    const { items, complete } = await listAll((page) => calls.discoverAssets(page), 1);
    expect(items.map(({ externalId, assetType, found }) => [externalId, assetType, found?.[0]])).toEqual([
      [`${agents}:.mcp.json#docs`, "mcp_server", { location: "agents/.mcp.json", revision: commit, line: 3 }],
      [`${agents}:a b/AGENTS.md`, "prompt", { location: "agents/a b/AGENTS.md", revision: commit, line: 1 }],
      [`${agents}:package.json`, "application", { location: "agents/package.json", revision: commit, line: 1 }],
    ]);
    expect(complete).toBe(false);
    const { rejected, warnings } = await calls.discoverAssets({ limit: 100 });
    expect(warnings?.map(({ externalId }) => externalId)).toEqual([`${agents}:a b/CLAUDE.md`]);
    expect(rejected?.map(({ externalId }) => externalId)).toEqual([
      `${agents}:big/AGENTS.md`,
      `${agents}:broken/.mcp.json`,
    ]);
  });
});

describe("the description of a check-in", () => {
  const [one, two, three] = ["1", "2", "3"].map((digit) => digit.repeat(40)) as [string, string, string];

  it("that only says what changed is read on top of another one", async () => {
    const texts: Record<string, string> = {
      new: `B ${one}\nF a.md\nF b\\sc.md ${three} x\nF link ${two} l\n`,
      [one]: `F a.md ${one}\nF b\\sc.md ${two}\nF d.md ${one}\n`,
    };
    const files = await filesOf("new", async (hash) => texts[hash] as string);
    expect(files).toEqual([
      { path: "b c.md", key: three },
      { path: "d.md", key: one },
      { path: "link", key: two, symbolicLink: true },
    ]);
  });

  it("that names no hash leads nowhere", async () => {
    const read: string[] = [];
    const files = await filesOf("new", async (hash) => {
      read.push(hash);
      return "B ../../etc\nF a.md ../../etc/passwd\n";
    });
    expect([files, read]).toEqual([[], ["new"]]);
  });
});
