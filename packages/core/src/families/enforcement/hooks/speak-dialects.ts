import type { HookAnswer, HookClient, HookQuestion } from "./fields.js";

/** What was decided about a call, in words for a person and a model. */
export interface Verdict {
  readonly decision: "allow" | "deny";
  readonly reason: string;
}

/** How one client asks and is answered. */
export interface Dialect {
  /** The moment before a call of a tool. */
  readonly before: string;
  /** The moment at which a session of the client ends. */
  readonly ended: string;
  /** How tools of MCP servers are named: `mark`, server, `between`, tool. */
  readonly mcp: { readonly mark: string; readonly between: string };
  answer(verdict: Verdict, question: HookQuestion): HookAnswer;
}

const permission = ({ decision, reason }: Verdict, { hook_event_name }: HookQuestion): HookAnswer => ({
  hookSpecificOutput: {
    hookEventName: hook_event_name,
    permissionDecision: decision,
    permissionDecisionReason: reason,
  },
});

/** The dialects of the clients, as of Claude Code 2.1.332, Codex 0.171.0 and Gemini CLI 0.61.0. */
export const DIALECTS: Readonly<Record<HookClient, Dialect>> = {
  "claude-code": {
    before: "PreToolUse",
    ended: "SessionEnd",
    mcp: { mark: "mcp__", between: "__" },
    answer: permission,
  },
  codex: { before: "PreToolUse", ended: "SessionEnd", mcp: { mark: "mcp__", between: "__" }, answer: permission },
  "gemini-cli": {
    before: "BeforeTool",
    ended: "SessionEnd",
    mcp: { mark: "mcp_", between: "_" },
    answer: ({ decision, reason }) => ({ decision, reason }),
  },
};
