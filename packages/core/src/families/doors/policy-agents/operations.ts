import { defineOperation } from "#kernel/operation/operation.js";
import { AnyObject } from "#kernel/records/generic-body.js";
import { z } from "#schema/z.js";
import { asked, shared } from "../authzen/fields.js";
import { askedBy, decidedOnce } from "./decide-once.js";
import { questionOfPorc } from "./read-porc.js";

const access = { permission: "ai-decision:evaluate", capability: "ai_governance" } as const;

const Result = z
  .object({
    allow: z.boolean().meta({ description: "Whether it may be done now." }),
    reasons: z.array(z.string()).meta({ description: "Why, in words." }),
    id: z.string().optional().meta({ description: "Id of the decision; absent where none could be asked for." }),
  })
  .meta({ description: "The decision as a document." });

const data = {
  ...{ ...shared, ...asked, access },
  method: "POST",
  unkept: ["input"],
} as const;
const inForm = (id: string, person: string) =>
  z.object({ input: AnyObject.optional().meta({ description: "The question as AuthZEN asks it." }) }).meta({
    id,
    example: {
      input: {
        subject: { type: "user", id: person },
        action: { name: "read" },
        resource: { type: "document", id: `of ${person}` },
      },
    },
  });
const ofInput = "`input` has `subject`, `action`, `resource` and `context`. An input that is no question is denied.";

export const askOpa = defineOperation({
  ...data,
  id: "policyAgents.opaAllow",
  path: "/v1/data/reeve/allow",
  summary: "Decide by true or false, as the data API of Open Policy Agent does",
  description: ofInput,
  body: inForm("OpaQuestion", "barbara@acme.example"),
  success: {
    status: 200,
    schema: z
      .object({ result: z.boolean().meta({ description: "Whether it may be done now." }) })
      .meta({ id: "OpaTruth" }),
  },
  prepare: (ctx, { body: { input = {} } }) => askedBy(ctx, input),
  handler: async (ctx, _input, question) => ({ result: (await decidedOnce(ctx, question)).allow }),
});

export const askOpaWhy = defineOperation({
  ...data,
  id: "policyAgents.opaDecision",
  path: "/v1/data/reeve/decision",
  summary: "Decide by a document, as the data API of Open Policy Agent does",
  description: ofInput,
  body: inForm("OpaDocumentQuestion", "tony@acme.example"),
  success: { status: 200, schema: z.object({ result: Result }).meta({ id: "OpaDocument" }) },
  prepare: (ctx, { body: { input = {} } }) => askedBy(ctx, input),
  handler: async (ctx, _input, question) => ({ result: await decidedOnce(ctx, question) }),
});

export const askToolhive = defineOperation({
  ...{ ...shared, ...asked, access },
  id: "policyAgents.toolhive",
  method: "POST",
  path: "/decision",
  summary: "Decide as ToolHive asks an HTTP policy decision point",
  description:
    "Principal, operation, resource and context. `mcp:tool:call` is the action `tools/call` on the tool of that server. Anything that cannot be read is denied. ToolHive sends no credential, so a proxy beside it adds one.",
  unkept: ["principal", "operation", "resource", "context"],
  body: z
    .object({
      principal: AnyObject.meta({ description: "Claims of the caller; `sub` names it." }),
      operation: z.string().max(200).meta({ description: "As in `mcp:tool:call`." }),
      resource: z.string().max(1_000).meta({ description: "As in `mrn:mcp:server:tool:name`." }),
      context: AnyObject.optional().meta({ description: "`mcp.args` are the arguments." }),
    })
    .meta({
      id: "ToolhiveQuestion",
      example: { principal: { sub: "barbara" }, operation: "mcp:tool:call", resource: "mrn:mcp:weather:tool:forecast" },
    }),
  success: {
    status: 200,
    schema: z
      .object({
        allow: z.boolean().meta({ description: "Whether it may be done now." }),
        reasons: z.array(z.string()).meta({ description: "Why, in words." }),
        decisionId: z.string().optional().meta({ description: "Id of the decision." }),
      })
      .meta({ id: "ToolhiveAnswer" }),
  },
  prepare: (ctx, { body }) => askedBy(ctx, questionOfPorc(body)),
  async handler(ctx, _input, question) {
    const { id, ...result } = await decidedOnce(ctx, question);
    return { ...result, ...(id === undefined ? {} : { decisionId: id }) };
  },
});
