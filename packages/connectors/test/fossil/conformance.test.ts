import type { ToolCall } from "@reeve/core/connectors";
import { type Access, type ConformanceTarget, connectorConformance } from "@reeve/testkit/connectors";
import { describe } from "vitest";
import { fossil } from "../../src/fossil/index.js";
import { FRIDA, fossilServer, installed, PASSWORD } from "./server.js";

const REPOSITORIES = ["agents", "tools"];
const ROLES = [
  ["setup", "s"],
  ["admin", "a"],
  ["write", "i"],
  ["read", "g"],
] as const;

describe.skipIf(installed.path === undefined)(`with Fossil${installed.note}`, () => {
  connectorConformance(fossil(), open, {
    skips: [
      { case: "what is renamed keeps its id", reason: "names of repositories are configured, and users have no other" },
    ],
  });
});

async function open(): Promise<ConformanceTarget> {
  const server = await fossilServer();
  const codes: Record<string, string> = {};
  for (const name of REPOSITORIES) {
    const info = await server.fossil("info", "-R", `${name}.fossil`);
    codes[name] = /project-code:\s+(\w+)/.exec(info)?.[1] as string;
  }
  await server.commit("agents", { "AGENTS.md": "Be kind.", ".mcp.json": '{"mcpServers":{"a":{"command":"x"}}}' });
  const accessOf = (profileExternalId: string, user: string, resource = codes.agents as string) => ({
    resource: { type: "repository", externalId: resource },
    profileExternalId,
    principal: { type: "user" as const, externalId: user },
  });
  const specOf = (role: string, user: string, resource?: string) => ({
    ...accessOf(role, user, resource),
    grantKey: `${user}:${role}`,
    parameters: {},
  });
  const grants = [specOf("setup", FRIDA.name)];
  const principal = { type: "user" as const, externalId: FRIDA.name };
  const call = (tool: string, args: ToolCall["args"]): ToolCall => ({ tool, args, principal, grants, dryRun: false });
  const reset = async () => {
    for (const [user, capabilities] of [
      ["bob", "p"],
      ["carol", "g"],
      ["dora", "p"],
      ["eve", "p"],
    ] as const)
      await server.setCapabilities("agents", user, capabilities);
  };
  await reset();
  return {
    address: { host: "127.0.0.1", port: server.port },
    config: ({ host, port }) => ({ baseUrl: `http://${host}:${port}`, repositories: REPOSITORIES, user: "admin" }),
    secrets: { password: PASSWORD, agentPasswords: JSON.stringify({ [FRIDA.name]: FRIDA.password }) },
    wrongSecrets: { password: "not-the-password" },
    allow: ["127.0.0.1/32"],
    reset,
    async observe() {
      const access: Access[] = [];
      for (const name of REPOSITORIES)
        for (const user of ["admin", "bob", "carol", "dora", "eve", "frida"]) {
          const capabilities = await server.capabilities(name, user);
          const role = ROLES.find(([, letter]) => capabilities.includes(letter))?.[0];
          if (role) access.push(accessOf(role, user, codes[name]));
        }
      const assets = ["AGENTS.md", ".mcp.json#a"].map((path) => `${codes.agents}:${path}`);
      return { assets, resources: { repository: Object.values(codes) }, access };
    },
    access: {
      wanted: [specOf("read", "bob"), specOf("write", "dora")],
      changed: specOf("write", "bob"),
      nowhere: specOf("read", "bob", "0".repeat(40)),
      foreign: accessOf("read", "carol"),
      async interfere() {
        await server.changeAsAdministrator("agents", "eve", "g");
        return accessOf("read", "eve");
      },
    },
    principals: {
      there: { type: "user", named: "carol" },
      found: { externalId: "carol", displayName: "carol" },
      missing: "carola",
    },
    tools: [
      call("list_repositories", {}),
      call("read_file", { repository: "agents", path: "AGENTS.md" }),
      call("create_branch", { repository: "agents", branch: "work" }),
      call("write_wiki", { repository: "agents", page: "Notes", content: "x" }),
      call("create_ticket", { repository: "agents", title: "t", comment: "c" }),
    ],
    close: server.close,
  };
}
