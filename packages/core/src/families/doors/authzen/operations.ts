import { OBLIGATION_TYPES, SEMANTICS } from "#families/governance/index.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { AnyObject } from "#kernel/records/generic-body.js";
import { Raw } from "#kernel/records/outcome.js";
import { z } from "#schema/z.js";
import { evaluateBatch, prepareBatch } from "./evaluate-batch.js";
import { evaluateOne, prepareOne } from "./evaluate-one.js";
import { Action, asked, context, Entity, shared } from "./fields.js";
import { REQUESTS } from "./requests/say-denied.js";

const access = { permission: "ai-decision:evaluate", capability: "ai_governance" } as const;
const description =
  "The Authorization API 1.0 of AuthZEN. The decision is that of `POST /api/v1/ai/policies/evaluate`, and stands in the activity stream. Unknown members are ignored.";

const said = AnyObject.optional().meta({
  description: "The rest of the decision: id, reasons, obligations, and the approval it waits for.",
});
const decision = z.boolean().meta({ description: "Whether it may be done now." });
const AuthzenDecision = z.object({ decision, context: said }).meta({ id: "AuthzenDecision" });

const subject = Entity.meta({ description: "The person or agent who asks." });
const resource = Entity.meta({ description: "The object that the action is about." });
const action = Action.meta({ description: "The action that is asked for." });

export const evaluate = defineOperation({
  ...{ ...shared, ...asked, access, description },
  id: "authzen.evaluate",
  method: "POST",
  path: "/access/v1/evaluation",
  summary: "Decide whether a subject may do something, as AuthZEN asks it",
  unkept: ["subject", "action", "resource", "context"],
  body: z.object({ subject, action, resource, context }).meta({
    id: "AuthzenEvaluation",
    example: {
      subject: { type: "user", id: "grace@acme.example" },
      action: { name: "read" },
      resource: { type: "document", id: "2" },
    },
  }),
  success: { status: 200, schema: AuthzenDecision },
  prepare: (ctx, { body }) => prepareOne(ctx, body),
  handler: (ctx, _input, prepared) => evaluateOne(ctx, prepared),
});

export const evaluateAll = defineOperation({
  ...{ ...shared, ...asked, access },
  id: "authzen.evaluateAll",
  method: "POST",
  path: "/access/v1/evaluations",
  summary: "Decide up to a hundred questions at once, as AuthZEN asks them",
  description: `${description} One that is incomplete is denied, and says why in its \`context\`.`,
  unkept: ["subject", "action", "resource", "context", "evaluations", "options"],
  body: z
    .object({
      subject: subject.optional(),
      action: action.optional(),
      resource: resource.optional(),
      context,
      evaluations: z
        .array(AnyObject)
        .max(100)
        .optional()
        .meta({ description: "Questions; what one leaves out is taken from the top level, whole." }),
      options: z
        .looseObject({
          evaluations_semantic: z.enum(SEMANTICS).optional().meta({ description: "When a batch stops." }),
        })
        .optional()
        .meta({ description: "`evaluations_semantic`: `execute_all` unless said." }),
    })
    .meta({
      id: "AuthzenEvaluations",
      example: {
        subject: { type: "user", id: "joan@acme.example" },
        action: { name: "read" },
        evaluations: [{ resource: { type: "document", id: "3" } }, { resource: { type: "document", id: "4" } }],
      },
    }),
  success: {
    status: 200,
    schema: z
      .object({
        evaluations: z.array(AuthzenDecision).optional().meta({ description: "In the order asked." }),
        decision: decision.optional(),
        context: said,
      })
      .meta({ id: "AuthzenDecisions" }),
  },
  prepare: (ctx, { body }) => prepareBatch(ctx, body),
  handler: (ctx, _input, prepared) => evaluateBatch(ctx, prepared),
});

const Configuration = z
  .object({
    policy_decision_point: z.url().meta({ description: "Its identifier: the address that it is served at." }),
    access_evaluation_endpoint: z.url().meta({ description: "Where one decision is asked for." }),
    access_evaluations_endpoint: z.url().meta({ description: "Where several are." }),
    search_subject_endpoint: z.url().meta({ description: "Where subjects are searched." }),
    search_resource_endpoint: z.url().meta({ description: "Where resources are searched." }),
    search_action_endpoint: z.url().meta({ description: "Where actions are searched." }),
    access_request_endpoint: z.url().meta({ description: "Where what was denied is asked for." }),
    supported_obligations: z.array(z.string()).meta({ description: "The types of obligations that policies name." }),
    capabilities: z.array(z.string()).meta({ description: "The profiles that it knows, by their names." }),
  })
  .meta({ id: "AuthzenConfiguration" });

export const readConfiguration = defineOperation({
  ...shared,
  id: "authzen.configuration",
  method: "GET",
  path: "/.well-known/authzen-configuration",
  summary: "Describe the policy decision point to clients of AuthZEN",
  description:
    "Under a prefix it stands below the prefix. Clients insert its path between host and prefix, so the host passes that address on.",
  access: "public",
  success: { status: 200, schema: Configuration },
  async handler(ctx) {
    const { baseUrl } = ctx.env.options;
    const endpoint = (name: string) => `${baseUrl}/access/v1/${name}`;
    const configuration: z.output<typeof Configuration> = {
      policy_decision_point: baseUrl,
      access_evaluation_endpoint: endpoint("evaluation"),
      access_evaluations_endpoint: endpoint("evaluations"),
      search_subject_endpoint: endpoint("search/subject"),
      search_resource_endpoint: endpoint("search/resource"),
      search_action_endpoint: endpoint("search/action"),
      access_request_endpoint: `${baseUrl}${REQUESTS}`,
      supported_obligations: [...OBLIGATION_TYPES],
      capabilities: ["urn:openid:authzen:capability:access-request"],
    };
    return new Raw(JSON.stringify(configuration), "application/json", { headers: { "cache-control": "max-age=300" } });
  },
});
