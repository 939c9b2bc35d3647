import { z } from "#schema/z.js";

/** Clients whose hooks are answered in their own form. */
export const HOOK_CLIENTS = ["claude-code", "codex", "gemini-cli", "cursor"] as const;
export type HookClient = (typeof HOOK_CLIENTS)[number];

/** Whether hooks of this client are answered. */
export const isHookClient = (client: string): client is HookClient => HOOK_CLIENTS.some((one) => one === client);

const Name = z.string().min(1).max(500);

/** What these clients post before a call of a tool, as far as it is read. Other members are ignored. */
export const HookQuestion = z
  .object({
    hook_event_name: Name.meta({ description: "The moment. Others than that before a call have no answer." }),
    session_id: z.string().max(2_000).optional().meta({ description: "The client's session." }),
    conversation_id: z.string().max(2_000).optional().meta({ description: "The same, as `cursor` calls it." }),
    cwd: z.string().max(10_000).optional().meta({ description: "The directory. Its last name alone is read." }),
    permission_mode: z.string().max(200).optional().meta({ description: "How the client asks its user." }),
    tool_name: z.string().max(1_000).optional().meta({ description: "The tool, as the client names it." }),
    tool_input: z
      .union([z.record(z.string(), z.unknown()), z.string()])
      .optional()
      .meta({
        description:
          "The arguments, for `cursor` as a text of JSON. They are digested, and shown by list of paths only.",
      }),
    command: z.string().optional().meta({
      description: "For `cursor`: the command of the shell, or the command line of the MCP server.",
    }),
    url: z.string().optional().meta({ description: "For `cursor`: the address of the MCP server." }),
    tool_use_id: z.string().max(2_000).optional().meta({ description: "Id of the call." }),
  })
  .meta({
    id: "HookQuestion",
    example: {
      hook_event_name: "PreToolUse",
      session_id: "8a0c1e4e",
      cwd: "/home/ada/shop",
      permission_mode: "default",
      tool_name: "Bash",
      tool_input: { command: "npm test" },
    },
  });
export type HookQuestion = z.output<typeof HookQuestion>;

/** An answer in the form of the client. Without members it leaves the client to itself. */
export const HookAnswer = z
  .object({
    hookSpecificOutput: z
      .object({
        hookEventName: z.string().meta({ description: "The moment that was asked about." }),
        permissionDecision: z.enum(["allow", "deny", "ask"]).meta({ description: "Whether the call is made." }),
        permissionDecisionReason: z.string().meta({ description: "Why, for the user and the model." }),
      })
      .optional()
      .meta({ description: "For `claude-code` and `codex`." }),
    decision: z.enum(["allow", "deny"]).optional().meta({ description: "The decision, for `gemini-cli`." }),
    reason: z.string().optional().meta({ description: "Why, for `gemini-cli`." }),
    permission: z.enum(["allow", "deny"]).optional().meta({ description: "The decision, for `cursor`." }),
    user_message: z.string().optional().meta({ description: "Why, for the user of `cursor`." }),
    agent_message: z.string().optional().meta({ description: "Why, for the model of `cursor`." }),
  })
  .meta({ id: "HookAnswer" });
export type HookAnswer = z.output<typeof HookAnswer>;
