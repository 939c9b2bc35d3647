import { createPlane, createTenant, newAccessIdentity, newAssignment, newTarget, ScriptedAccess } from "@reeve/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codehost } from "../../src/codehost/index.js";
import { idsOf } from "./bench.js";
import { push, type TestHost, TOKEN, testHost } from "./host.js";

const REASON = { reason: "The agent does not need it." };
const repository = "acme/agents";

/** An agent with the right to push to one repository of a real code host, under governance. */
async function governedAgent(host: TestHost) {
  const ids = await idsOf(host);
  const connectors = [codehost(), new ScriptedAccess().connector];
  const plane = createPlane({ connectors, egressAllow: ["127.0.0.1/32"], tokenLifetime: 86_400 });
  const scene = await createTenant(plane, "tools");
  const { token } = scene.owner;
  const ok = async (method: string, path: string, body?: object) => {
    const answer = await plane.send(method, path, { token, ...(body ? { body } : {}) });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.json;
  };
  const connectorInstanceId = await newTarget(scene, {
    providerKey: "codehost",
    configuration: { baseUrl: host.url },
    secrets: { token: TOKEN },
  });
  const target = `/api/v1/access-targets/${connectorInstanceId}`;
  await ok("POST", `${target}/resources/sync?resourceType=repository`);
  await plane.controlPlane.tick();
  const named = async (what: string, externalId: string) =>
    (await ok("GET", `${target}/${what}?size=100`)).items.find(
      (one: { externalId: string; resourceType?: string }) =>
        one.externalId === externalId && one.resourceType === "repository",
    );
  const [resource, profile] = [await named("resources", ids.agents), await named("access-profiles", "push")];
  expect(profile.toolNames).toContain("commit_files");
  const { definitionHash } = profile;
  await ok("POST", `/api/v1/access-profiles/${profile.id}/approve`, { definitionHash });
  const assetId = await scene.newAsset();
  const identityId = await newAccessIdentity(scene, assetId, connectorInstanceId, {
    type: "user",
    externalId: ids.bob,
  });
  const principal = { type: "user", externalId: ids.bob, displayName: null };
  const assignment = await newAssignment(scene, {
    ...{ assetId, identityId, connectorInstanceId, principal, resourceId: resource.id, accessProfileId: profile.id },
    ...{ resource: { type: "repository", externalId: ids.agents }, profileExternalId: "push", parameters: {} },
    approvedHash: definitionHash,
  });
  return {
    issue: (body: object = {}) => ok("POST", `/api/v1/ai-assets/${assetId}/agent-tool-token`, body),
    revoke: () => ok("POST", `/api/v1/access-assignments/${assignment.id}/revoke`, REASON),
    test: (body: object) => ok("POST", `/api/v1/ai-assets/${assetId}/runtime-test`, body),
    run: (agentToken: string, tool: string, args: object, more: object = {}) =>
      plane.send("POST", "/api/v1/agent-tools/codehost/execute", {
        body: { token: agentToken, tool, arguments: args, ...more },
      }),
    plane,
    scene,
  };
}

describe("tools on a code host, through the door for agents", () => {
  let host: TestHost;
  beforeAll(async () => {
    host = await testHost();
    await push(host.admin, "agents", { "docs/a.md": "Hello from the docs.", "src/secret.ts": "no" });
    await push(host.admin, "site", { "secret.md": "Hello from elsewhere." });
  });
  afterAll(() => host.close());

  it("make a branch, a commit and a pull request over HTTP, and no more than was permitted", async () => {
    const agent = await governedAgent(host);
    const { token, tools } = await agent.issue({ constraints: { pathPrefixes: ["docs"], branches: ["agent/*"] } });
    expect(tools).toEqual(expect.arrayContaining(["read_file", "create_branch", "commit_files", "open_pull_request"]));
    const branch = "agent/fix";
    const key = (idempotencyKey: string) => ({ idempotencyKey });
    const made = await agent.run(token, "create_branch", { repository, branch });
    expect([made.status, made.json]).toMatchObject([200, { status: "ok", contentTrust: "untrusted" }]);
    const files = [{ path: "docs/b.md", content: "New." }];
    const commit = { repository, branch, message: "Add a page", files };
    const committed = await agent.run(token, "commit_files", commit, key("c1"));
    expect(committed.json).toMatchObject({ status: "ok", result: { branch } });
    expect((await agent.run(token, "commit_files", commit, key("c1"))).json).toEqual({
      ...committed.json,
      replayed: true,
    });
    const read = await agent.run(token, "read_file", { repository, path: "docs/b.md", ref: branch });
    expect(read.json.result).toMatchObject({ content: "New." });
    const opened = await agent.run(
      token,
      "open_pull_request",
      { repository, title: "A page", head: branch },
      key("p1"),
    );
    expect(opened.json.status, opened.text).toBe("ok");
    const { data } = await host.admin.repos.listCommits({ owner: "acme", repo: "agents", sha: branch });
    expect(data.filter(({ commit: { message } }) => message === "Add a page")).toHaveLength(1);

    const before = host.seen.length;
    const beyond = [
      ["commit_files", { ...commit, files: [{ path: "src/x.ts", content: "x" }] }],
      ["commit_files", { ...commit, files: [{ path: "docs/../src/x.ts", content: "x" }] }],
      ["commit_files", { ...commit, branch: "main" }],
      ["read_file", { repository, path: "src/secret.ts", ref: branch }],
      ["read_file", { repository, path: "docs/a.md" }],
      ["search_code", { repository, query: "no" }],
    ] as const;
    for (const [tool, args] of beyond)
      expect((await agent.run(token, tool, args, key("x"))).json.code, `${tool} ${JSON.stringify(args)}`).toBe(
        "constraint_violation",
      );
    expect(host.seen.length).toBe(before);
  });

  it("reach no other repository, whatever name it is asked by, and show no credential", async () => {
    const agent = await governedAgent(host);
    const { token } = await agent.issue();
    for (const name of ["acme/site", "ACME/site", "acme/nowhere"]) {
      const answer = await agent.run(token, "read_file", { repository: name, path: "secret.md" });
      expect(answer.json).toMatchObject({ status: "error", error: { code: "not_granted" } });
      expect(answer.text).not.toContain("elsewhere");
    }
    const listed = await agent.run(token, "list_repositories", {});
    expect(listed.json.result.repositories).toMatchObject([{ repository }]);
    expect(listed.text).not.toContain(TOKEN);
  });

  it("stop with the revocation of the access, before the host is asked", async () => {
    const agent = await governedAgent(host);
    const { token } = await agent.issue();
    expect((await agent.run(token, "read_file", { repository, path: "docs/a.md" })).json.status).toBe("ok");
    await agent.revoke();
    const before = host.seen.length;
    const after = await agent.run(token, "read_file", { repository, path: "docs/a.md" });
    expect([after.status, after.json.code]).toEqual([401, "invalid_token"]);
    expect(host.seen.length).toBe(before);
  });

  it("are tried by a runtime test", async () => {
    const agent = await governedAgent(host);
    const call = { tool: "read_file", arguments: { repository, path: "docs/a.md" }, execute: true };
    expect(await agent.test(call)).toMatchObject({ verdict: "pass" });
    host.script((_method, url) => (url.pathname.startsWith("/repos") ? { status: 503 } : undefined));
    try {
      expect(await agent.test(call)).toMatchObject({ verdict: "fail" });
    } finally {
      host.script(() => undefined);
    }
  });
});
