import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Gateway } from "./gateway.js";
import type { Service } from "./service.js";

const API = "/api/v1";

/** Access of an agent to tools, which has been asked for, approved and granted. */
export interface AgentAccess {
  readonly assignmentIds: readonly string[];
  /** A token that lasts some minutes. */
  readonly token: string;
}

/** Ada asks for access to some tools for her agent, Grace approves it, and Ada issues a token that rests on it. */
export async function accessTo(tools: readonly string[], { ada, grace, controlPlane }: Service): Promise<AgentAccess> {
  const instance = await ada.send("POST", `${API}/connector-instances`, {
    name: "The server of the team",
    providerKey: "mcp",
    configuration: { transport: "stdio", command: "everything" },
    ...{ status: "active", governanceMode: "managed" },
  });
  const target = `${API}/access-targets/${instance.id}`;
  await ada.send("POST", `${target}/resources/sync`, {});
  await controlPlane.tick();
  const named = async (what: string, externalId: string) =>
    (await ada.send("GET", `${target}/${what}?size=100`)).items.find(
      (one: { externalId: string }) => one.externalId === externalId,
    );
  const items: object[] = [];
  for (const tool of tools) {
    const [resource, profile] = [await named("resources", tool), await named("access-profiles", `call:${tool}`)];
    const approval = { definitionHash: profile.definitionHash, reason: "It does what its name says." };
    await ada.send("POST", `${API}/access-profiles/${profile.id}/approve`, approval);
    items.push({ accessProfileId: profile.id, resourceId: resource.id });
  }

  const owner = { type: "user", id: ada.userId, name: "Ada" };
  const agent = await ada.send("POST", `${API}/ai-assets`, { name: "Bookkeeper", assetType: "agent", owner });
  await ada.send("POST", `${API}/ai-assets/${agent.id}/access-identities`, {
    connectorInstanceId: instance.id,
    principal: { type: "agent", externalId: agent.id, displayName: agent.name },
  });
  const stages = [{ approvers: [{ kind: "user", id: grace.userId }] }];
  const covers = { connectorInstanceIds: [instance.id] };
  await ada.send("POST", `${API}/access-policies`, { name: "Tools of the team", covers, stages });
  const wanted = { connectorInstanceId: instance.id, items, duration: "P1D", reason: "It adds up what came in." };
  const request = await ada.send("POST", `${API}/ai-assets/${agent.id}/access-requests`, wanted);
  const vote = { expectedScopeHash: request.scopeHash, reason: "It adds numbers for a day." };
  await grace.send("POST", `${API}/access-requests/${request.id}/approve`, vote);
  await controlPlane.tick();
  const granted = await ada.send("GET", `${API}/access-requests/${request.id}`);
  const { token } = await ada.send("POST", `${API}/ai-assets/${agent.id}/agent-tool-token`, {});
  const assignmentIds = granted.items.map((item: { assignmentId: string }) => item.assignmentId);
  return { assignmentIds, token };
}

/** A client of MCP as any agent has one. All that it knows is the address of the gateway and its token. */
export async function connect({ url }: Gateway, token: string): Promise<Client> {
  const client = new Client({ name: "bookkeeper", version: "1.0.0" });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return client;
}

/** What a call of a tool says, and whether it failed. */
export async function say(
  client: Client,
  name: string,
  args: Record<string, unknown>,
  _meta: Record<string, unknown> = {},
): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: args, _meta });
  const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
  return isError ? `refused, ${text}` : text;
}

/** Ada takes the access away, which ends every token that rests on it. */
export async function revoke({ ada }: Service, { assignmentIds }: AgentAccess): Promise<void> {
  const reason = "The numbers are added up.";
  for (const id of assignmentIds) await ada.send("POST", `${API}/access-assignments/${id}/revoke`, { reason });
}
