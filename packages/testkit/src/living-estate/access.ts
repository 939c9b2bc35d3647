import { repository, repositoryProfile, ScriptedAccess } from "../world/scripted-access.js";
import { known, type Registered } from "./assets.js";
import type { Acting, Staff } from "./people.js";

const ACCOUNT = "northwind-code";
const REPOSITORIES = ["claims-service", "tariff-engine", "customer-portal", "letters"];

/** Lets jobs run, which carry out what was decided. */
type Tick = () => Promise<unknown>;

interface Target {
  readonly connectorInstanceId: string;
  readonly resources: Map<string, string>;
  readonly profiles: Map<string, string>;
}

/** Connects the code host, approves what can be asked for, and says who decides. */
async function connect(
  { admin, officer, approver, second }: Staff,
  access: ScriptedAccess,
  tick: Tick,
): Promise<Target> {
  const account = access.account(ACCOUNT);
  account.resources = REPOSITORIES.map((name) => repository(name, { name }));
  account.profiles = [
    repositoryProfile("read", { name: "Read" }),
    repositoryProfile("write", { name: "Write", privilegeLevel: 2 }),
  ];
  const { id } = await admin.do("POST", "/api/v1/connector-instances", {
    ...{ name: "Code host", providerKey: ScriptedAccess.providerKey, configuration: { account: ACCOUNT }, secrets: {} },
    ...{ governanceMode: "managed", schedule: { sync: null, driftScan: null }, status: "active" },
  });
  const at = `/api/v1/access-targets/${id}`;
  await admin.do("POST", `${at}/resources/sync?resourceType=repository`);
  await tick();
  const { items: profiles } = await officer.do("GET", `${at}/access-profiles`);
  for (const { id: profileId, definitionHash } of profiles)
    await officer.do("POST", `/api/v1/access-profiles/${profileId}/approve`, { definitionHash });
  const { items: resources } = await officer.do("GET", `${at}/resources`);
  const stages = [{ approvers: [approver, second].map((person) => ({ kind: "user", id: person.id })) }];
  const covers = { connectorInstanceIds: [id] };
  await admin.do("POST", "/api/v1/access-policies", { name: "Access to code", covers, stages });
  return {
    connectorInstanceId: id,
    resources: byExternalId(resources),
    profiles: byExternalId(profiles),
  };
}

const byExternalId = (items: readonly { readonly externalId: string; readonly id: string }[]) =>
  new Map(items.map((item) => [item.externalId, item.id]));

/**
 * Grants access to agents. Returns what happens to it later: a certification of it, and one request and one difference that wait.
 */
export async function governAccess(staff: Staff, access: ScriptedAccess, made: Registered, tick: Tick) {
  const target = await connect(staff, access, tick);
  const { connectorInstanceId } = target;
  const { builder, approver, officer } = staff;
  const ask = async (agent: string, profile: string, resource: string) => {
    const path = `/api/v1/ai-assets/${known(made.assetIds, agent)}/access-requests`;
    const items = [{ accessProfileId: known(target.profiles, profile), resourceId: known(target.resources, resource) }];
    const wanted = { connectorInstanceId, items, duration: "P20D", reason: `It works on ${resource}.` };
    return builder.do("POST", path, wanted);
  };
  for (const agent of ["Code assistant", "Claims letters"]) {
    const externalId = agent.toLowerCase().replace(" ", "-");
    const principal = { type: "service_account", externalId, displayName: `${agent} bot` };
    const path = `/api/v1/ai-assets/${known(made.assetIds, agent)}/access-identities`;
    await staff.operator.do("POST", path, { connectorInstanceId, principal });
  }
  const granted = [
    ["Code assistant", "read", "claims-service"],
    ["Code assistant", "read", "tariff-engine"],
    ["Code assistant", "write", "letters"],
    ["Claims letters", "read", "letters"],
  ] as const;
  for (const [agent, profile, resource] of granted) await approve(approver, await ask(agent, profile, resource));
  await tick();
  return async () => {
    await ask("Code assistant", "write", "claims-service");
    // Somebody takes one away in the code host itself.
    const { held } = access.account(ACCOUNT);
    for (const [key] of [...held].slice(0, 1)) held.delete(key);
    await staff.admin.do("POST", `/api/v1/access-targets/${connectorInstanceId}/drift-scan`);
    await tick();
    await officer.do("POST", "/api/v1/access-certifications", {
      ...{ name: "Access of agents, this quarter", scope: { connectorInstanceIds: [connectorInstanceId] } },
      // Whoever alone approved an access may not review it.
      stages: [{ reviewer: "users", userIds: [staff.second.id] }],
    });
    await tick();
  };
}

async function approve(by: Acting, { id, scopeHash }: { readonly id: string; readonly scopeHash: string }) {
  const vote = { expectedScopeHash: scopeHash, reason: "It needs it for its work." };
  await by.do("POST", `/api/v1/access-requests/${id}/approve`, vote);
}
