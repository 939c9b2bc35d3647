import { newAcme } from "../acme.js";

const acme = await newAcme({ doors: true });
const { client } = acme.owner;
const { data: tool } = await client.POST("/api/v1/ai/tools", { body: { name: "Refund", toolName: "refund" } });
const { data: agent } = await client.POST("/api/v1/ai/agents", { body: { name: "Teller", toolIds: [tool.id] } });
const { data: started } = await client.POST("/api/v1/ai/sessions", { body: { agentId: agent.assetId } });
const scopes = ["ai-decision:evaluate", "ai-session:report", "ai-session:enforce"];
const { data: identity } = await client.POST("/api/v1/ai/identities", {
  body: { name: "Agent host", kind: "workload", scopes },
});
const { data: credential } = await client.POST("/api/v1/ai/identities/{id}/credentials", {
  params: { path: { id: identity.id } },
});

export const clientId = credential.clientId;
export const clientSecret = credential.clientSecret as string;
export const session = started.id;
export const pay = (amount: number) => `Paid ${amount}.`;
export const env = acme.env;
