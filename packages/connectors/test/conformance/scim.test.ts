import type { GrantSpec } from "@reeve/core/connectors";
import { type Access, type ConformanceTarget, connectorConformance } from "@reeve/testkit/connectors";
import { scim } from "../../src/scim/index.js";
import { SCIM_TOKEN, startScimProvider } from "../support/scim-provider.js";

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

const USERS = ["u1", "u2", "u3", "u4", "s1", "s2"].map((id) => ({
  id,
  userName: `${id}@acme.example`,
  displayName: `User ${id}`,
  userType: id.startsWith("s") ? "Service" : "Employee",
}));
const groups = () => [
  { id: "g1", displayName: "One", members: [{ value: "u3" }] },
  { id: "g2", displayName: "Two", members: [] },
  { id: "g3", displayName: "Three", members: [{ value: "u1" }, { value: "u2" }, { value: "u4" }] },
];

async function provider(): Promise<ConformanceTarget> {
  const target = await startScimProvider(USERS, groups());
  const { pathname, port } = new URL(target.url);
  return {
    address: { host: "127.0.0.1", port: Number(port) },
    config: ({ host, port: at }) => ({
      baseUrl: `http://${host}:${at}${pathname}`,
      identityFilter: 'userType eq "Service"',
    }),
    secrets: { token: SCIM_TOKEN },
    wrongSecrets: { token: "another-token-9876543210" },
    async reset() {
      target.hidesMembers = false;
      for (const group of groups()) target.groups.set(group.id, group);
    },
    observe: async () => ({
      assets: ["s1", "s2"],
      resources: { group: [...target.groups.keys()] },
      access: [...target.groups.keys()].flatMap((id) => target.membersOf(id).map((member) => access(id, member))),
    }),
    async rename() {
      const group = target.groups.get("g1");
      if (group) group.displayName = "Renamed";
    },
    access: {
      wanted: [spec("g1", "u1"), spec("g1", "u2")],
      nowhere: spec("gone", "u1"),
      foreign: access("g1", "u3"),
      async interfere() {
        target.groups.get("g1")?.members.push({ value: "u4" });
        return access("g1", "u4");
      },
      async hide() {
        target.hidesMembers = true;
      },
    },
    principals: {
      there: { type: "user", named: "u1@acme.example" },
      found: { externalId: "u1", displayName: "u1@acme.example" },
      missing: "u1@acme.exampel",
    },
    close: target.close,
  };
}

connectorConformance(scim(), provider);
