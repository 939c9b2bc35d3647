import { createPlane, createTenant, newAccessIdentity, newAssignment, newTarget, ScriptedAccess } from "@reeve/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fossil } from "../../src/fossil/index.js";
import { BOB, type FossilServer, fossilServer, installed, PASSWORD } from "./server.js";

const REASON = { reason: "The agent does not need it." };
const repository = "agents";

const LETTERS = { read: "ghjorz", write: "cfghijkmnorwz" };

/** An agent that acts as `bob`, who has a role in one repository of a real Fossil, under governance. */
async function governedAgent(server: FossilServer, role: keyof typeof LETTERS, agentPasswords: object = { bob: BOB }) {
  await server.setCapabilities("agents", "bob", LETTERS[role]);
  const connectors = [fossil(), new ScriptedAccess().connector];
  const plane = createPlane({ connectors, egressAllow: ["127.0.0.1/32"], tokenLifetime: 86_400 });
  const scene = await createTenant(plane, "fossil");
  const { token } = scene.owner;
  const ok = async (method: string, path: string, body?: object) => {
    const answer = await plane.send(method, path, { token, ...(body ? { body } : {}) });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.json;
  };
  const connectorInstanceId = await newTarget(scene, {
    providerKey: "fossil",
    configuration: { baseUrl: server.url, repositories: ["agents", "tools"], user: "admin" },
    secrets: { password: PASSWORD, agentPasswords: JSON.stringify(agentPasswords) },
  });
  const target = `/api/v1/access-targets/${connectorInstanceId}`;
  await ok("POST", `${target}/resources/sync?resourceType=repository`);
  await plane.controlPlane.tick();
  const [{ items: resources }, { items: profiles }] = [
    await ok("GET", `${target}/resources?size=100`),
    await ok("GET", `${target}/access-profiles?size=100`),
  ];
  const resource = resources.find(({ name }: { name: string }) => name === "agents");
  const profile = profiles.find(({ externalId }: { externalId: string }) => externalId === role);
  await ok("POST", `/api/v1/access-profiles/${profile.id}/approve`, { definitionHash: profile.definitionHash });
  const assetId = await scene.newAsset();
  const identityId = await newAccessIdentity(scene, assetId, connectorInstanceId, {
    type: "user",
    externalId: "bob",
  });
  const principal = { type: "user", externalId: "bob", displayName: null };
  const assignment = await newAssignment(scene, {
    ...{ assetId, identityId, connectorInstanceId, principal, resourceId: resource.id, accessProfileId: profile.id },
    ...{ resource: { type: "repository", externalId: resource.externalId }, profileExternalId: role, parameters: {} },
    approvedHash: profile.definitionHash,
  });
  const issued = await ok("POST", `/api/v1/ai-assets/${assetId}/agent-tool-token`);
  let calls = 0;
  return {
    tools: issued.tools as readonly string[],
    plane,
    revoke: () => ok("POST", `/api/v1/access-assignments/${assignment.id}/revoke`, REASON),
    async run(tool: string, args: object, agentToken: string = issued.token) {
      calls += 1;
      const body = { token: agentToken, tool, arguments: args, idempotencyKey: `call-${calls}` };
      return (await plane.send("POST", "/api/v1/agent-tools/codehost/execute", { body })).json;
    },
    issue: (body: object) => ok("POST", `/api/v1/ai-assets/${assetId}/agent-tool-token`, body),
    test: (body: object) => ok("POST", `/api/v1/ai-assets/${assetId}/runtime-test`, body),
  };
}

const refusedAs = (code: string) => ({ status: "error", error: { code } });

describe.skipIf(installed.path === undefined)(`tools of a Fossil server${installed.note}`, () => {
  let server: FossilServer;
  beforeAll(async () => {
    server = await fossilServer();
    await server.commit("agents", { "docs/a.md": "Hello.", "docs/link": "-> a.md", "bin.dat": "a\0b" });
    await server.commit("agents", { "big.txt": "x".repeat(300_000) });
  });
  afterAll(() => server?.close());

  it("read files, branches, tickets and the wiki as the user of the agent", async () => {
    const agent = await governedAgent(server, "read");
    expect([...agent.tools].sort()).toEqual([
      "list_check_ins",
      "list_files",
      "list_repositories",
      "list_tickets",
      "read_file",
      "read_wiki",
    ]);
    expect((await agent.run("list_repositories", {})).result).toEqual({
      repositories: [{ repository, role: "read" }],
    });
    expect((await agent.run("read_file", { repository, path: "docs/a.md" })).result).toMatchObject({
      content: "Hello.",
    });
    expect((await agent.run("list_files", { repository, path: "docs" })).result).toMatchObject({
      files: [{ path: "docs/a.md" }, { path: "docs/link" }],
      complete: true,
    });
    expect((await agent.run("list_check_ins", { repository, most: 1 })).result.checkIns).toMatchObject([
      { user: "admin", tags: ["trunk"] },
    ]);
    for (const [args, code] of [
      [{ path: "docs/link" }, "symbolic_link"],
      [{ path: "bin.dat" }, "not_text"],
      [{ path: "big.txt" }, "too_large"],
      [{ path: "nowhere.md" }, "not_found"],
      // Fossil reads a date as the newest check-in before it.
      [{ path: "docs/a.md", ref: "2099-01-01" }, "not_found"],
      [{ path: "docs/a.md", ref: "tip" }, "not_found"],
    ] as const)
      expect(await agent.run("read_file", { repository, ...args }), JSON.stringify(args)).toMatchObject(
        refusedAs(code),
      );
    expect(await agent.run("read_wiki", { repository, page: "Nowhere" })).toMatchObject(refusedAs("not_found"));
    expect(await agent.run("write_wiki", { repository, page: "Notes", content: "x" })).toMatchObject({
      code: "tool_not_allowed",
    });
  });

  it("write branches, tickets and pages, in the name of that user", async () => {
    const agent = await governedAgent(server, "write");
    const made = await agent.run("create_branch", { repository, branch: "agent/fix" });
    expect(made, JSON.stringify(made)).toMatchObject({ status: "ok" });
    expect(await agent.run("create_branch", { repository, branch: "agent/fix" })).toMatchObject(refusedAs("conflict"));
    expect(await agent.run("create_branch", { repository, branch: "b", from: "none" })).toMatchObject(
      refusedAs("not_found"),
    );
    const read = await agent.run("read_file", { repository, path: "docs/a.md", ref: "agent/fix" });
    expect(read.result).toMatchObject({ checkIn: made.result.checkIn, content: "Hello." });
    const ticket = await agent.run("create_ticket", { repository, title: "It fails & <b>", comment: "Look.\n[x](y)" });
    expect(ticket, JSON.stringify(ticket)).toMatchObject({ status: "ok" });
    const [change] = (await agent.run("list_tickets", { repository })).result.changes;
    expect(change).toMatchObject({ ticket: ticket.result.ticket, user: "bob" });
    const page = { repository, page: "Notes", content: "# Notes" };
    expect((await agent.run("write_wiki", page)).result).toEqual({ page: "Notes", changed: true });
    expect((await agent.run("write_wiki", page)).result).toEqual({ page: "Notes", changed: false });
    expect((await agent.run("write_wiki", { ...page, content: "# More" })).result.changed).toBe(true);
    expect((await agent.run("read_wiki", { repository, page: "Notes" })).result.content).toBe("# More");
    expect(await server.fossil("timeline", "-R", "agents.fossil", "-t", "w", "-n", "1")).toContain("user: bob");
  });

  it("end in Fossil itself with what the user may do there, whatever Reeve believes", async () => {
    const agent = await governedAgent(server, "write");
    const page = { repository, page: "Plan", content: "1" };
    expect(await agent.run("write_wiki", page)).toMatchObject({ status: "ok" });
    await server.changeAsAdministrator("agents", "bob", LETTERS.read);
    expect(await agent.run("write_wiki", { ...page, content: "2" })).toMatchObject(refusedAs("permission"));
    expect(await agent.run("create_branch", { repository, branch: "agent/no" })).toMatchObject(refusedAs("permission"));
    expect(await agent.run("create_ticket", { repository, title: "x", comment: "x" })).toMatchObject(
      refusedAs("permission"),
    );
    expect(await agent.run("read_file", { repository, path: "docs/a.md" })).toMatchObject({ status: "ok" });
    await server.changeAsAdministrator("agents", "bob", "p");
    expect(await agent.run("read_file", { repository, path: "docs/a.md" })).toMatchObject(refusedAs("permission"));
    expect((await agent.run("list_repositories", {})).result.repositories).toEqual([]);
  });

  it("are refused before Fossil is asked once access is revoked, and Fossil takes it away too", async () => {
    const agent = await governedAgent(server, "write");
    expect(await agent.run("read_file", { repository, path: "docs/a.md" })).toMatchObject({ status: "ok" });
    await agent.revoke();
    expect(await agent.run("read_file", { repository, path: "docs/a.md" })).toMatchObject({ code: "invalid_token" });
    await agent.plane.controlPlane.tick();
    expect((await server.capabilities("agents", "bob")).trim()).not.toMatch(/[gi]/);
  });

  it("reach no other repository, and stay within what the token permits", async () => {
    await server.setCapabilities("tools", "bob", LETTERS.write);
    const agent = await governedAgent(server, "write");
    for (const other of ["tools", "nowhere"])
      expect(await agent.run("list_check_ins", { repository: other })).toMatchObject(refusedAs("not_granted"));
    const { token } = await agent.issue({ constraints: { pathPrefixes: ["docs"], branches: ["agent/*"] } });
    const ref = "agent/fix";
    expect(await agent.run("read_file", { repository, path: "docs/a.md", ref }, token)).toMatchObject({ status: "ok" });
    for (const [tool, args] of [
      ["read_file", { path: "big.txt", ref }],
      ["read_file", { path: "docs/../big.txt", ref }],
      ["read_file", { path: "docs/a.md", ref: "trunk" }],
      ["read_file", { path: "docs/a.md" }],
      ["list_check_ins", {}],
      ["create_branch", { branch: "mine" }],
    ] as const)
      expect(await agent.run(tool, { repository, ...args }, token), JSON.stringify(args)).toMatchObject({
        code: "constraint_violation",
      });
    await server.setCapabilities("tools", "bob", "p");
  });

  it("are none for a user whose password the connection does not hold, and a wrong one shows nothing", async () => {
    const page = { repository, path: "docs/a.md" };
    const without = await governedAgent(server, "write", { carol: BOB });
    expect(await without.run("read_file", page)).toMatchObject(refusedAs("no_credentials"));
    const wrong = await governedAgent(server, "write", { bob: "wrong-password" });
    expect(await wrong.run("read_file", page)).toMatchObject(refusedAs("sign_in_refused"));
    const answer = await (await governedAgent(server, "read")).run("read_file", page);
    expect(JSON.stringify(answer)).not.toContain(BOB);
  });

  it("are tried by a runtime test", async () => {
    const agent = await governedAgent(server, "read");
    const call = { tool: "read_file", arguments: { repository, path: "docs/a.md" }, execute: true };
    expect(await agent.test(call)).toMatchObject({ verdict: "pass" });
    await server.changeAsAdministrator("agents", "bob", "p");
    expect(await agent.test(call)).toMatchObject({ verdict: "fail" });
  });
});
