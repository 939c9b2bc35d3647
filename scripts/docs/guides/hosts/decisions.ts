import { newAcme } from "../acme.js";

const acme = await newAcme();
const { client } = acme.owner;
const { data: tool } = await client.POST("/api/v1/ai/tools", { body: { name: "Payments", toolName: "refund" } });
const { data: agent } = await client.POST("/api/v1/ai/agents", { body: { name: "Refund agent", toolIds: [tool.id] } });
const { data: session } = await client.POST("/api/v1/ai/sessions", { body: { agentId: agent.assetId } });
const asks = (amount: number) => ({ action: { name: "refund", properties: { amount } } });
const { data: policy } = await client.POST("/api/v1/ai-governance/policies", {
  body: {
    name: "Refunds",
    kind: "runtime",
    key: "refunds",
    rules: [
      {
        key: "large",
        effect: "require_approval",
        if: 'action.name == "refund" && action.properties.amount > 100',
        message: "Refunds above 100 are approved by somebody.",
      },
      {
        key: "small",
        effect: "allow",
        if: 'action.name == "refund" && action.properties.amount <= 100',
        message: "Small.",
      },
    ],
    tests: [
      { name: "large", input: asks(120), expect: "require_approval" },
      { name: "small", input: asks(20), expect: "allow" },
    ],
  },
});
await acme.officer.client.PUT("/api/v1/ai-governance/policies/{id}", {
  params: { path: { id: policy.id } },
  body: { status: "active" },
});

export const controlPlane = acme.controlPlane;
export const principal = acme.principal;
export const agentId = agent.assetId;
export const toolId = tool.id;
export const sessionId = session.id;
export const env = acme.env;
export const placeholders = [
  ["ast_01K…", agentId],
  ["tol_01K…", toolId],
  ["ses_01K…", sessionId],
] as const;
