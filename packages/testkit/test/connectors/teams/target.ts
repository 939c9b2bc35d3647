import type { GrantSpec } from "@reeve/core/connectors";
import type { Access, ConformanceTarget } from "@reeve/testkit/connectors";
import { type Member, TeamsService, TOKEN, TOKENS } from "./service.js";

export const grantSpec = (team: string, user: string, role: string): GrantSpec => ({
  grantKey: `${team}-${user}-${role}`,
  resource: { type: "team", externalId: team },
  profileExternalId: role,
  principal: { type: "user", externalId: user },
  parameters: {},
});

const person = (externalId: string) => ({ type: "user", externalId }) as const;

const accessOf = (team: string, { user, role, expiresAt }: Member): Access => ({
  resource: { type: "team", externalId: team },
  profileExternalId: role,
  principal: { type: "user", externalId: user },
  expiresAt: expiresAt === null ? null : new Date(expiresAt),
});

/** The teams service as a target. Its oracle reads the objects of the service. */
export async function openTeams(): Promise<ConformanceTarget> {
  const service = await new TeamsService().start();
  let others = 0;
  return {
    address: { host: "127.0.0.1", port: service.port },
    config: ({ host, port }) => ({ url: `http://${host}:${port}` }),
    secrets: { token: TOKEN },
    wrongSecrets: { token: "wrong-token-of-somebody" },
    reset: async () => service.reset(),
    observe: async () => ({
      assets: service.bots.map(({ id }) => id),
      resources: { team: service.teams.map(({ id }) => id) },
      credentials: Object.values(TOKENS).flatMap((tokens) => tokens.map(({ id }) => id)),
      access: service.teams.flatMap(({ id, members }) => members.map((member) => accessOf(id, member))),
    }),
    rename: async () => {
      for (const named of [...service.bots, ...service.teams]) named.name = `${named.name} renamed`;
    },
    access: {
      wanted: [grantSpec("red", "ada", "writer"), grantSpec("red", "grace", "reader")],
      changed: grantSpec("red", "ada", "reader"),
      nowhere: grantSpec("none", "ada", "reader"),
      foreign: accessOf("red", { user: "linus", role: "reader", expiresAt: null }),
      async interfere() {
        const member = { user: `other-${others++}`, role: "reader", expiresAt: null };
        service.add("red", member.user, member.role);
        return accessOf("red", member);
      },
      async hide() {
        service.hidesMembers = true;
      },
    },
    principals: {
      there: { type: "user", named: "ada@teams.example" },
      found: { externalId: "ada", displayName: "ada@teams.example" },
      missing: "ad@teams.example",
    },
    usage: { since: new Date(Date.UTC(2026, 0, 1, 0, 2)), until: new Date(Date.UTC(2026, 0, 1, 0, 59)) },
    tools: ["count_bots", "add_bot"].map((tool) => ({
      tool,
      args: {},
      principal: { type: "agent", externalId: "agent-1" },
      grants: [],
      dryRun: false,
    })),
    credentials: { principals: [person("ada"), person("linus")] },
    sessions: {
      principal: { type: "user", externalId: "linus" },
      async open() {
        service.sessions.set("linus", 2);
        return 2;
      },
    },
    close: () => service.stop(),
  };
}
