import { recordOperations } from "../records/operations.js";
import { toolKind } from "./record-kind.js";
import { Tool } from "./schema.js";

export const toolOperations = recordOperations({
  kind: toolKind,
  schema: Tool,
  id: "aiTools",
  agents: "propose",
  tag: "AI Tools",
  path: "/api/v1/ai/tools",
  one: "AI tool",
  many: "AI tools",
  searched: "name, description, the name it is called by, or what it says of itself",
  example: { name: "Look up an order", origin: "http", toolName: "orders.read" },
});
