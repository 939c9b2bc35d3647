import { recordOperations } from "../records/operations.js";
import { agentKind } from "./record-kind.js";
import { Agent } from "./schema.js";
import { moveAgent } from "./status-moves.js";

export const agentOperations = recordOperations({
  kind: agentKind,
  schema: Agent,
  id: "aiAgents",
  agents: "propose",
  tag: "AI Agents",
  path: "/api/v1/ai/agents",
  one: "AI agent",
  many: "AI agents",
  searched: "name, description, framework or endpoint",
  example: { name: "Support agent", kind: "assistant", framework: "langgraph", environment: "development" },
  moveAsset: moveAgent,
});
