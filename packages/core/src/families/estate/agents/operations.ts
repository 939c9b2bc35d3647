import { recordOperations } from "../records/operations.js";
import { agentKind } from "./kind.js";
import { moveAgent } from "./moves.js";
import { Agent } from "./schema.js";

export const agentOperations = recordOperations({
  kind: agentKind,
  schema: Agent,
  id: "aiAgents",
  tag: "AI Agents",
  path: "/api/v1/ai/agents",
  one: "AI agent",
  many: "AI agents",
  permission: "ai-agent",
  capability: "ai_registry",
  moveAsset: moveAgent,
});
