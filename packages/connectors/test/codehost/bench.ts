import type { GrantSpec, Principal } from "@reeve/core/connectors";
import { type ConnectorCalls, type ConnectorParts, connectorCalls, connectorParts } from "@reeve/testkit/connectors";
import { codehost } from "../../src/codehost/index.js";
import { type TestHost, TOKEN } from "./host.js";

/** The connector on a test host, called as the control plane calls it. */
export interface Bench {
  readonly calls: ConnectorCalls;
  readonly parts: ConnectorParts;
}

export function benchOf(
  host: Pick<TestHost, "url">,
  { token = TOKEN, ...config }: Record<string, unknown> = {},
): Bench {
  const connector = codehost();
  const parts = connectorParts(connector, {
    config: { baseUrl: host.url, ...config },
    secrets: { token: String(token) },
    allow: ["127.0.0.1/32"],
  });
  return { calls: connectorCalls(connector, parts), parts };
}

/** The ids that the host gave out. */
export async function idsOf({ admin }: TestHost) {
  const user = async (username: string) => String((await admin.users.getByUsername({ username })).data.id);
  const repository = async (repo: string) => String((await admin.repos.get({ owner: "acme", repo })).data.id);
  const team = String((await admin.teams.getByName({ org: "acme", team_slug: "ai" })).data.id);
  return {
    bob: await user("bob"),
    carol: await user("carol"),
    dora: await user("dora"),
    eve: await user("eve"),
    agents: await repository("agents"),
    site: await repository("site"),
    team,
  };
}

export const userOf = (externalId: string): Principal => ({ type: "user", externalId });

export function specOf(resource: string, user: string, profileExternalId: string, type = "repository"): GrantSpec {
  const [principal, about] = [userOf(user), { type, externalId: resource }];
  return {
    grantKey: `${type}:${resource}:${user}:${profileExternalId}`,
    resource: about,
    profileExternalId,
    principal,
    parameters: {},
  };
}
