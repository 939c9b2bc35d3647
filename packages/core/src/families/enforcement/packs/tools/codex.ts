import type { ClientPack } from "../fields.js";

/**
 * Tools of Codex itself, as version 0.171.0 offers them to its model or has them in its package. The names are those
 * of its hooks, which call every way to run a command `Bash`.
 */
export const codex: ClientPack = {
  client: "codex",
  version: "0.171.0",
  title: "Codex",
  tools: [
    { toolName: "Bash", category: "shell", arguments: ["command"] },
    {
      toolName: "write_stdin",
      category: "shell",
      arguments: ["chars", "max_output_tokens", "session_id", "yield_time_ms"],
    },
    { toolName: "apply_patch", category: "edit", arguments: ["command"] },
    { toolName: "view_image", category: "read", arguments: ["path"] },
    { toolName: "list_mcp_resources", category: "read", arguments: [] },
    { toolName: "list_mcp_resource_templates", category: "read", arguments: [] },
    { toolName: "read_mcp_resource", category: "read", arguments: [] },
    { toolName: "web_search", category: "web", arguments: [] },
    { toolName: "spawn_agent", category: "agent", arguments: [] },
    { toolName: "send_input", category: "agent", arguments: [] },
    { toolName: "resume_agent", category: "agent", arguments: [] },
    { toolName: "wait_agent", category: "agent", arguments: [] },
    { toolName: "close_agent", category: "agent", arguments: [] },
    { toolName: "request_user_input", category: "plan", arguments: ["questions"] },
    { toolName: "update_plan", category: "plan", arguments: ["plan", "explanation"] },
    { toolName: "get_goal", category: "plan", arguments: [] },
    { toolName: "create_goal", category: "plan", arguments: ["objective", "token_budget"] },
    { toolName: "update_goal", category: "plan", arguments: ["status"] },
  ],
};
