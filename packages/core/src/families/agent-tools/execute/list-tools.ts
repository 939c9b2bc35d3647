import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { AnyObject } from "#kernel/records/generic-body.js";
import { z } from "#schema/z.js";
import { callable } from "../tokens/judge-token.js";
import { openToken } from "./begin-call.js";
import { tenantBehind } from "./execute-tool.js";
import { ToolRequest } from "./schema.js";

export const ToolsRequest = z
  .strictObject({ token: ToolRequest.shape.token })
  .meta({ id: "AgentToolsRequest", example: { token: "att_…" } });
export type ToolsRequest = z.output<typeof ToolsRequest>;

export const OpenTools = z
  .object({
    tools: z
      .array(
        z.object({
          name: z.string().meta({ description: "Name of the tool." }),
          description: z.string().meta({ description: "What it does." }),
          inputSchema: AnyObject.meta({ description: "JSON Schema of its arguments." }),
          effect: z.enum(["read", "write", "destructive"]).meta({ description: "What calling it may do." }),
          idempotent: z.boolean().meta({ description: "Whether a repetition does nothing more." }),
        }),
      )
      .meta({ description: "Tools that the token opens at this moment." }),
  })
  .meta({ id: "AgentToolsOfToken" });
export type OpenTools = z.output<typeof OpenTools>;

/** The tools that a token opens at this moment. A request counts as a call does, and is no use. */
export async function listTools(ctx: OutsideContext, { token }: ToolsRequest): Promise<OpenTools> {
  const { inside, tokenId } = await tenantBehind(ctx, token);
  const found = await inside.write(async (inner) => {
    const opened = await openToken(inner, tokenId);
    // A refusal is stored, and so it is no throw within the transaction.
    return "kind" in opened ? opened : { specs: await callable(inner, opened) };
  });
  if ("kind" in found) throw found.error;
  return {
    tools: found.specs.map(({ name, description, inputSchema, effect, idempotent }) => ({
      ...{ name, description, inputSchema: { ...inputSchema }, effect, idempotent },
    })),
  };
}
