import type { OpenedTool } from "@reeve/connectors/mcp";

const $schema = "http://json-schema.org/draft-07/schema#";

/**
 * The tools that agents may ask for, as somebody has looked at them. One that the server describes in another way by
 * now is not called.
 */
export const TOOLS: readonly OpenedTool[] = [
  {
    name: "echo",
    description: "Echoes back the input string",
    inputSchema: {
      $schema,
      type: "object",
      properties: { message: { type: "string", description: "Message to echo" } },
      required: ["message"],
    },
    effect: "read",
  },
  {
    name: "get-sum",
    description: "Returns the sum of two numbers",
    inputSchema: {
      $schema,
      type: "object",
      properties: {
        a: { type: "number", description: "First number" },
        b: { type: "number", description: "Second number" },
      },
      required: ["a", "b"],
    },
    effect: "read",
  },
  {
    name: "toggle-simulated-logging",
    description: "Toggles simulated, random-leveled logging on or off.",
    inputSchema: { $schema, type: "object", properties: {} },
    effect: "write",
  },
];
