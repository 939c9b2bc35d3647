import { recordDecision } from "#families/governance/index.js";
import type { Context } from "#kernel/operation/context.js";
import { defineOperation } from "#kernel/operation/operation.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { foreign } from "#kernel/records/authority.js";
import { AnyObject } from "#kernel/records/generic-body.js";
import { z } from "#schema/z.js";
import { answered, type PreparedAsks, prepareAsks } from "../authzen/evaluate-one.js";
import { asked, shared } from "../authzen/fields.js";
import { type Mapped, type Message, mapMessage } from "./map-message.js";

const Question = z
  .object({
    server: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .meta({ description: "The server that it is for: its name, URL or asset id. Else `aud` of the token." }),
    message: z
      .object({
        id: foreign(
          z.union([z.string(), z.number()]).nullable().optional().meta({ description: "Id of the request." }),
        ),
        method: z.string().min(1).max(200).meta({ description: "As in `tools/call`." }),
        params: AnyObject.optional().meta({ description: "What it is called with." }),
      })
      .meta({ description: "The JSON-RPC message that waits." }),
    token: AnyObject.meta({ description: "Claims of the access token that came with it, once it was validated." }),
    context: AnyObject.optional().meta({
      description: "What the enforcement point adds: a session, an approval, the obligations that it understands.",
    }),
  })
  .meta({
    id: "CoazQuestion",
    example: {
      server: "Payments",
      message: { id: 7, method: "tools/call", params: { name: "refund", arguments: { amount: 20 } } },
      token: { sub: "radia@acme.example", client_id: "refund-agent" },
    },
  });

const Answer = z
  .object({
    decision: z.boolean().meta({ description: "Whether the message may pass." }),
    mapping: z
      .enum(["default", "declared", "pass_through", "none"])
      .meta({ description: "By which mapping it was asked." }),
    evaluations: z
      .array(
        z.object({
          decision: z.boolean().meta({ description: "Whether this much may be done." }),
          context: AnyObject.meta({ description: "The rest of the decision." }),
        }),
      )
      .meta({ description: "The decisions, up to the first denial." }),
    response: AnyObject.optional().meta({ description: "What to answer the client where the message may not pass." }),
  })
  .meta({ id: "CoazAnswer" });

/** Codes of JSON-RPC for what is refused, as the binding has them. */
const CODES = { denied: -32_001, fault: -32_602 } as const;

/** A message with its questions, once these are judged. */
export interface Judged {
  readonly mapped: Mapped;
  readonly asked: PreparedAsks | undefined;
}

async function judged(ctx: ReadContext, body: Message): Promise<Judged> {
  const mapped = await mapMessage(ctx, body);
  return { mapped, asked: mapped.request && (await prepareAsks(ctx, mapped.request)) };
}

async function decided(ctx: Context, { message }: z.output<typeof Question>, { mapped, asked }: Judged) {
  const { mapping, fault, denied } = mapped;
  const refused = (code: number, text: string, evaluations: Awaited<ReturnType<typeof answered>>[] = []) => ({
    ...{ decision: false, mapping, evaluations },
    response: { jsonrpc: "2.0", id: message.id ?? null, error: { code, message: text } },
  });
  if (fault !== undefined) return refused(CODES.fault, `COAZ mapping error: ${fault}`);
  if (denied !== undefined) return refused(CODES.denied, `Access denied: ${denied}`);
  if (!asked) return { decision: true, mapping, evaluations: [] };
  const decision = await recordDecision(ctx, asked.prepared);
  const evaluations: Awaited<ReturnType<typeof answered>>[] = [];
  for (const [at, one] of (decision.evaluations ?? []).entries()) evaluations.push(await answered(ctx, asked, at, one));
  const against = evaluations.find((one) => !one.decision);
  if (!against && evaluations.length > 0) return { decision: true, mapping, evaluations };
  const why = (against?.context.reasons ?? []).map((reason) => reason.message).join(" ");
  return refused(CODES.denied, `Access denied: ${why}`, evaluations);
}

export const askCoaz = defineOperation({
  ...{ ...shared, ...asked },
  id: "coaz.ask",
  method: "POST",
  path: "/access/v1/mcp",
  summary: "Decide whether a message of MCP may pass, by its mapping of COAZ",
  description:
    "COAZ-MCP, draft 1: by the mapping that the tool declares, or the default one of the method. The tool itself must be allowed beside what its mapping asks. What cannot be mapped, and a tool that has drifted, is denied.",
  access: { permission: "ai-decision:evaluate", capability: "ai_governance" },
  unkept: Object.keys(Question.shape),
  body: Question,
  success: { status: 200, schema: Answer },
  prepare: (ctx, { body }) => judged(ctx, body),
  handler: (ctx, { body }, prepared) => decided(ctx, body, prepared),
});
