import { type Access, type ConformanceTarget, connectorConformance } from "@reeve/testkit/connectors";
import { codehost } from "../../src/codehost/index.js";
import { idsOf, specOf, userOf } from "./bench.js";
import { push, type TestHost, TOKEN, testHost } from "./host.js";

connectorConformance(codehost(), open, {
  skips: [
    {
      case: "one odd record sinks no other, and a listing that had to leave one out is not called whole",
      reason: "the emulator allows fewer calls than the case takes; tests of listings have odd records of their own",
    },
  ],
});

async function open(): Promise<ConformanceTarget> {
  const host = await testHost();
  const ids = await idsOf(host);
  const repository = { type: "repository", externalId: ids.agents };
  const reset = async () => {
    await host.reset();
    await push(host.admin, "agents", { "AGENTS.md": "Be kind.", ".mcp.json": '{"mcpServers":{"a":{"command":"x"}}}' });
    await push(host.admin, "site", { "package.json": '{"dependencies":{"openai":"6"}}' });
    await host.admin.repos.addCollaborator({ owner: "acme", repo: "agents", username: "carol", permission: "triage" });
  };
  await reset();
  const wanted = specOf(ids.agents, ids.bob, "push");
  const call = (tool: string, args: Record<string, unknown>) => ({
    tool,
    args,
    principal: userOf(ids.bob),
    grants: [wanted],
    dryRun: false,
  });
  return {
    address: { host: "127.0.0.1", port: host.port },
    config: (at) => ({ baseUrl: `http://${at.host}:${at.port}` }),
    secrets: { token: TOKEN },
    wrongSecrets: { token: "ghp_nobodyKnowsThisToken" },
    allow: ["127.0.0.1/32"],
    reset,
    observe: () => observed(host),
    rename: async () => void (await host.admin.repos.update({ owner: "acme", repo: "agents", name: "robots" })),
    access: {
      wanted: [wanted, specOf(ids.agents, ids.dora, "pull")],
      changed: specOf(ids.agents, ids.bob, "maintain"),
      nowhere: specOf("999999", ids.bob, "push"),
      foreign: { resource: repository, profileExternalId: "triage", principal: userOf(ids.carol) },
      async interfere() {
        const at = { owner: "acme", repo: "agents", username: "eve" };
        await host.admin.repos.addCollaborator({ ...at, permission: "pull" });
        return { resource: repository, profileExternalId: "pull", principal: userOf(ids.eve) };
      },
      async hide() {
        const isList = ({ pathname }: URL) => /\/(collaborators|invitations)$/.test(pathname);
        host.script((method, url) => (method === "GET" && isList(url) ? { status: 200, body: [] } : undefined));
      },
    },
    principals: {
      there: { type: "user", named: "carol" },
      found: { externalId: ids.carol, displayName: "carol" },
      missing: "carola",
    },
    tools: [
      call("list_repositories", {}),
      call("list_files", { repository: "acme/agents" }),
      call("read_file", { repository: "acme/agents", path: "AGENTS.md" }),
      call("search_code", { repository: "acme/agents", query: "kind" }),
      call("create_branch", { repository: "acme/agents", branch: "work" }),
      call("commit_files", {
        repository: "acme/agents",
        branch: "work",
        message: "m",
        files: [{ path: "x.md", content: "1" }],
      }),
      call("open_pull_request", { repository: "acme/agents", title: "t", head: "work" }),
      call("get_pull_request", { repository: "acme/agents", number: 1 }),
      call("comment", { repository: "acme/agents", number: 1, body: "Please review." }),
    ],
    close: host.close,
  };
}

/** What the emulator says to its administrator, without the connector. */
async function observed({ admin }: TestHost) {
  const { data: repositories } = await admin.repos.listForAuthenticatedUser();
  const { data: account } = await admin.users.getAuthenticated();
  const { data: organisations } = await admin.orgs.listForAuthenticatedUser();
  const { data: teams } = await admin.teams.list({ org: "acme" });
  const access: Access[] = [];
  for (const { id, name, owner } of repositories) {
    const at = { owner: owner.login, repo: name };
    for (const { id: user, login } of (await admin.repos.listCollaborators(at)).data) {
      const { data } = await admin.repos.getCollaboratorPermissionLevel({ ...at, username: login });
      const [resource, principal] = [{ type: "repository", externalId: String(id) }, userOf(String(user))];
      access.push({ resource, principal, profileExternalId: data.permission });
    }
  }
  for (const { id, slug } of teams)
    for (const role of ["member", "maintainer"] as const)
      for (const { id: user } of (await admin.teams.listMembersInOrg({ org: "acme", team_slug: slug, role })).data) {
        const [resource, principal] = [{ type: "team", externalId: String(id) }, userOf(String(user))];
        access.push({ resource, principal, profileExternalId: role });
      }
  const idOf = (name: string) => repositories.find((one) => one.full_name === name)?.id;
  const agents = idOf("acme/agents") ?? idOf("acme/robots");
  return {
    assets: [`${agents}:AGENTS.md`, `${agents}:.mcp.json#a`, `${idOf("acme/site")}:package.json`],
    resources: {
      owner: [account, ...organisations].map(({ id }) => String(id)),
      repository: repositories.map(({ id }) => String(id)),
      team: teams.map(({ id }) => String(id)),
    },
    access,
  };
}
