import { Client, ClientCredentialsProvider, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type Gateway, SCOPES } from "./gateway.js";
import type { Where } from "./reeve.js";
import type { Service } from "./service.js";

const RULES = [
  {
    ...{ key: "open", effect: "allow", message: "Agents may call these." },
    if: 'action.name == "tools/call" && spec.name in ["get-sum", "get-structured-content", "toggle-simulated-logging"]',
  },
  {
    ...{ key: "large", effect: "require_approval", message: "Sums above 1000 wait for somebody." },
    if: 'spec.name == "get-sum" && has(action.properties.arguments) && action.properties.arguments.a > 1000',
  },
];

/** What Grace approves of the server. It has others, one of which tells its environment. */
const APPROVED = ["echo", "get-structured-content", "get-sum", "toggle-simulated-logging"];

/** Ada registers the server and looks at it. Grace approves some of its tools, and puts Ada's policy in force. */
export async function govern({ url, ada, grace }: Service): Promise<Where> {
  const registered = { name: "Everything", transport: "stdio", command: "everything" };
  const { id: serverId, assetId: serverAssetId } = await ada.send("POST", "/ai/mcp-servers", registered);
  const { manifest } = await ada.send("POST", `/ai/mcp-servers/${serverId}/scan`, {});
  const approval = { manifestDigest: manifest.current, toolNames: APPROVED };
  await grace.send("POST", `/ai/mcp-servers/${serverId}/tools/approve`, approval);
  const action = { name: "tools/call", properties: { arguments: { a: 5000 } } };
  const policy = await ada.send("POST", "/ai-governance/policies", {
    ...{ name: "Tools of the team", kind: "runtime", key: "tools-of-the-team", rules: RULES },
    selector: { assetTypes: ["tool"] },
    tests: [{ name: "large", input: { action, asset: {}, spec: { name: "get-sum" } }, expect: "require_approval" }],
  });
  await grace.send("PUT", `/ai-governance/policies/${policy.id}`, { status: "active" });
  return { url, serverId, serverAssetId };
}

/** An agent with an identity of its own. */
export interface Agent {
  readonly identityId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Who gives tokens for the credential. */
  readonly issuer: string;
}

/** Ada registers an agent that uses the server and runs as an identity, and gives that a credential. */
export async function newAgent(
  { url, ada }: Service,
  { serverAssetId }: Where,
  name = "Bookkeeper",
  scopes = SCOPES,
): Promise<Agent> {
  const identity = { name: `Account of ${name}`, kind: "workload", scopes };
  const { id: identityId } = await ada.send("POST", "/ai/identities", identity);
  await ada.send("POST", "/ai/agents", { name, identityId, mcpServerIds: [serverAssetId] });
  const { clientId, clientSecret } = await ada.send("POST", `/ai/identities/${identityId}/credentials`, {});
  return { identityId, clientId, clientSecret, issuer: url };
}

/** Reeve gives tokens for itself, and knows no gateway, so that the client names none when it asks for one. */
class Credential extends ClientCredentialsProvider {
  async validateResourceURL(): Promise<undefined> {}
}

export type Era = "2026-07-28" | "2025-11-25";

/** A client of MCP as any agent has one. It knows the gateway and its credential, and finds out where to get a token. */
export async function connect({ url }: Gateway, agent: Agent, era: Era = "2026-07-28"): Promise<Client> {
  const mode = era === "2026-07-28" ? { pin: era } : "legacy";
  const client = new Client({ name: "bookkeeper", version: "1.0.0" }, { versionNegotiation: { mode } });
  const { clientId, clientSecret, issuer: expectedIssuer } = agent;
  const authProvider = new Credential({ clientId, clientSecret, expectedIssuer });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { authProvider }));
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

/** Grace approves what waits for somebody. */
export async function approve({ grace }: Service): Promise<void> {
  const { items } = await grace.send("GET", "/ai-governance/approvals?status=requested");
  for (const { id } of items) await grace.send("PATCH", `/ai-governance/approvals/${id}/approve`, {});
}

/** Ada stops the server, and what calls it. Returns what lets it go on, which takes Grace. */
export async function halt({ ada, grace }: Service, { serverAssetId }: Where): Promise<() => Promise<unknown>> {
  const body = { scope: "mcp_server", target: serverAssetId, reason: "Its answers look odd." };
  const { id } = await ada.send("POST", "/ai/halts", body);
  return () => grace.send("POST", `/ai/halts/${id}/lift`, { reason: "They are right." });
}

/** Ada switches the agent's identity off, which ends its tokens. */
export const switchOff = ({ ada }: Service, { identityId }: Agent): Promise<unknown> =>
  ada.send("PUT", `/ai/identities/${identityId}`, { status: "disabled" });
