import type { GrantSpec } from "@reeve/core/connectors";
import { type Access, type ConformanceTarget, connectorConformance } from "@reeve/testkit/connectors";
import { okta } from "../../src/okta/index.js";
import { BOB, startOkta } from "../support/okta-emulator.js";

const access = (groupId: string, userId: string): Access => ({
  resource: { type: "group", externalId: groupId },
  profileExternalId: "member",
  principal: { type: "user", externalId: userId },
});
const spec = (groupId: string, userId: string): GrantSpec => ({
  grantKey: `${groupId}/${userId}`,
  parameters: {},
  ...access(groupId, userId),
});

async function organisation(): Promise<ConformanceTarget> {
  const target = await startOkta(["team-1", "team-2", "team-3"]);
  const [team, other] = [target.group("team-1"), target.group("team-2")];
  const [ann, bob, cyd, dan] = ["ann", "bob", "cyd", "dan"].map(target.idOf) as [string, string, string, string];
  const teams = ["team-1", "team-2", "team-3"].map(target.group);
  const members = async (id: string) => (await target.membersOf(id)).map((user) => access(id, user));
  return {
    address: target.address,
    config: ({ host, port }) => ({ baseUrl: `http://${host}:${port}`, identitySearch: BOB }),
    secrets: { apiToken: "00abc-okta-api-token" },
    wrongSecrets: { apiToken: "00abc-of-nobody-else" },
    async reset() {
      await target.send("PUT", `groups/${team}`, { profile: { name: "team-1" } });
      for (const id of teams)
        for (const user of await target.membersOf(id)) await target.send("DELETE", `groups/${id}/users/${user}`);
      for (const [id, user] of [
        [team, cyd],
        [other, ann],
        [other, cyd],
      ])
        await target.send("PUT", `groups/${id}/users/${user}`);
    },
    observe: async () => ({
      assets: [bob],
      resources: { group: await target.groups() },
      access: (await Promise.all((await target.groups()).map(members))).flat(),
    }),
    rename: () => target.send("PUT", `groups/${team}`, { profile: { name: "renamed" } }),
    access: {
      wanted: [spec(team, ann), spec(team, bob)],
      nowhere: spec("gone", ann),
      foreign: access(team, cyd),
      async interfere() {
        await target.send("PUT", `groups/${team}/users/${dan}`);
        return access(team, dan);
      },
    },
    principals: {
      there: { type: "user", named: "ann@acme.example" },
      found: { externalId: ann, displayName: "ann@acme.example" },
      missing: "anne@acme.example",
    },
    close: target.close,
  };
}

connectorConformance(okta(), organisation, {
  skips: [
    {
      case: "wrong credentials are refused as auth by every method that calls the target",
      reason: "the emulator takes any token",
    },
  ],
});
