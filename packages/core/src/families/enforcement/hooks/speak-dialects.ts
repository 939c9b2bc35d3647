import { parseObject } from "#kernel/http/body.js";
import type { JsonObject } from "#kernel/http/json-guard.js";
import type { HookAnswer, HookClient, HookQuestion } from "./fields.js";

/** What was decided about a call, in words for a person and a model. */
export interface Verdict {
  readonly decision: "allow" | "deny";
  readonly reason: string;
}

/** A tool of an MCP server that a client names by its address, or by its command line. */
export interface McpCall {
  readonly tool: string;
  readonly url: string | undefined;
  readonly command: string | undefined;
}

/** A call of a tool that is about to be made. */
export interface HookCall {
  /** The tool as the client names it. */
  readonly tool: string;
  readonly input: JsonObject;
  /** For clients that say where the MCP server is, and not what they call it. */
  readonly mcp?: McpCall;
}

/** How one client asks and is answered. */
export interface Dialect {
  /** The call that a question is about. `undefined` for a moment that is not before a call. */
  read(question: HookQuestion): HookCall | undefined;
  /** The moment at which a session of the client ends. */
  readonly ended: string;
  /** How names of tools tell the MCP server: `mark`, server, `between`, tool. */
  readonly mcp?: { readonly mark: string; readonly between: string };
  answer(verdict: Verdict, question: HookQuestion): HookAnswer;
}

const readAt =
  (before: string) =>
  ({ hook_event_name, tool_name = "", tool_input }: HookQuestion): HookCall | undefined =>
    hook_event_name === before ? { tool: tool_name, input: inputOf(tool_input) } : undefined;

const inputOf = (input: HookQuestion["tool_input"] = {}): JsonObject =>
  typeof input === "string" ? parseObject(input) : input;

const permission = ({ decision, reason }: Verdict, { hook_event_name }: HookQuestion): HookAnswer => ({
  hookSpecificOutput: {
    hookEventName: hook_event_name,
    permissionDecision: decision,
    permissionDecisionReason: reason,
  },
});

/** Cursor says of an MCP server where it is, and of its shell the command alone. */
function readCursor(question: HookQuestion): HookCall | undefined {
  const { hook_event_name, tool_name = "", tool_input, command = "", url } = question;
  if (hook_event_name === "beforeShellExecution") return { tool: "Shell", input: { command } };
  if (hook_event_name !== "beforeMCPExecution") return undefined;
  return { tool: `MCP:${tool_name}`, input: inputOf(tool_input), mcp: { tool: tool_name, url, command } };
}

/**
 * The dialects of the clients, as of Claude Code 2.1.332, Codex 0.171.0 and Gemini CLI 0.61.0, and of Cursor as its
 * documentation has it.
 */
export const DIALECTS: Readonly<Record<HookClient, Dialect>> = {
  "claude-code": {
    read: readAt("PreToolUse"),
    ended: "SessionEnd",
    mcp: { mark: "mcp__", between: "__" },
    answer: permission,
  },
  codex: {
    read: readAt("PreToolUse"),
    ended: "SessionEnd",
    mcp: { mark: "mcp__", between: "__" },
    answer: permission,
  },
  "gemini-cli": {
    read: readAt("BeforeTool"),
    ended: "SessionEnd",
    mcp: { mark: "mcp_", between: "_" },
    answer: ({ decision, reason }) => ({ decision, reason }),
  },
  cursor: {
    read: readCursor,
    ended: "sessionEnd",
    answer: ({ decision, reason }) => ({ permission: decision, user_message: reason, agent_message: reason }),
  },
};
