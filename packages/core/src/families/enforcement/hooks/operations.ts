import { ReeveError } from "#kernel/http/errors.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { z } from "#schema/z.js";
import { askHook } from "./ask-hook.js";
import { HOOK_CLIENTS, HookAnswer, type HookClient, HookQuestion } from "./fields.js";

export const askBeforeCall = defineOperation({
  id: "hooks.ask",
  method: "POST",
  path: "/api/v1/hooks/{clientName}",
  tag: "AI Enforcement",
  summary: "Ask whether a client may make a call of a tool, in the client's own form",
  description:
    "For hooks of coding agents, with the credential of an installation. The name of the tool becomes the record that the agent uses; one that it does not use is denied. The client's session is a session here. A client that gets no answer, or another than 200, must not make the call.",
  extension: true,
  access: { permission: "installation:act", capability: "ai_governance" },
  effect: "own",
  params: z.object({
    clientName: z.string().max(200).meta({
      description: "The client that asks: `claude-code`, `codex`, `gemini-cli` or `cursor`.",
      example: "claude-code",
    }),
  }),
  unkept: Object.keys(HookQuestion.shape),
  openBody: true,
  body: HookQuestion,
  success: { status: 200, schema: HookAnswer },
  errors: ["invalid_reference", "not_found", "overloaded"],
  handler: (ctx, { params, body }) => askHook(ctx, hookClient(params.clientName), body),
});

/** A client whose form is known. 404 for any other. */
function hookClient(name: string): HookClient {
  const client = HOOK_CLIENTS.find((one) => one === name);
  if (client) return client;
  throw new ReeveError("not_found", "The hooks of this client are not known.");
}
