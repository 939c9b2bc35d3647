import { defineOperation } from "#kernel/operation/operation.js";
import { AnyObject } from "#kernel/records/generic-body.js";
import { z } from "#schema/z.js";
import { Action, asked, context, Entity, Kind, shared } from "../fields.js";
import { MOST_EXAMINED, MOST_RESULTS, searchCandidates } from "./search-candidates.js";

const page = z
  .object({
    token: z.string().max(8_192).optional().meta({ description: "`next_token` of the answer before." }),
    limit: z
      .int()
      .min(0)
      .optional()
      .meta({ description: `The most results, at most ${MOST_RESULTS}.` }),
  })
  .optional()
  .meta({ description: "Which part of the results." });

const common = {
  ...{ ...shared, ...asked },
  method: "POST",
  effect: "read",
  expensive: true,
  access: { permission: "ai-decision:search", capability: "ai_governance" },
  errors: ["invalid_cursor"],
} as const;
const description = `The Authorization API 1.0 of AuthZEN. Each result is one that a decision would allow now. One answer examines up to ${MOST_EXAMINED} candidates and may be short; go on by \`page.next_token\`. \`context.partial\` says that there may be others that Reeve does not know of: it knows assets, people, and the texts that rules in force compare with.`;

const answered = <Result extends z.ZodType>(id: string, result: Result) =>
  z
    .object({
      page: z
        .object({
          next_token: z.string().meta({ description: "For the next part; empty at the end." }),
          count: z.int().min(0).meta({ description: "How many results this part has." }),
        })
        .meta({ description: "Where this part ends." }),
      context: z
        .object({
          partial: z.boolean().meta({ description: "Whether there may be results that Reeve does not know of." }),
        })
        .meta({ description: "How far the search reaches." }),
      results: z.array(result).meta({ description: "What a decision would allow now." }),
    })
    .meta({ id });

const entityOf =
  ({ type }: { readonly type: string }) =>
  (id: string) => ({ type, id });

const obligations = z
  .array(AnyObject)
  .optional()
  .meta({ description: "What must be done about it: `id`, `type` and `properties` of each." });
const Found = z.object({
  type: z.string().meta({ description: "What kind of thing it is." }),
  id: z.string().meta({ description: "Id of it, as a decision takes it." }),
  obligations,
});
const FoundAction = z.object({ name: z.string().meta({ description: "Name of the action." }), obligations });

const subject = Entity.meta({ description: "The person or agent who asks." });
const resource = Entity.meta({ description: "The object that the action is about." });
const action = Action.meta({ description: "The action that is asked for." });
const kind = Kind.meta({ description: "The kind that is searched; its id is ignored." });

export const searchSubjects = defineOperation({
  ...common,
  description,
  id: "authzen.searchSubjects",
  path: "/access/v1/search/subject",
  summary: "Find the subjects that may do something now",
  body: z.object({ subject: kind, action, resource, context, page }).meta({
    id: "AuthzenSubjectSearch",
    example: { subject: { type: "user" }, action: { name: "read" }, resource: { type: "document", id: "5" } },
  }),
  success: { status: 200, schema: answered("AuthzenSubjects", Found) },
  handler: (ctx, { body: { page, ...asked } }) =>
    searchCandidates(ctx, { searched: "subject", asked, page }, entityOf(asked.subject)),
});

export const searchResources = defineOperation({
  ...common,
  description,
  id: "authzen.searchResources",
  path: "/access/v1/search/resource",
  summary: "Find the resources that a subject may act on now",
  body: z.object({ subject, action, resource: kind, context, page }).meta({
    id: "AuthzenResourceSearch",
    example: {
      subject: { type: "user", id: "linus@acme.example" },
      action: { name: "read" },
      resource: { type: "document" },
    },
  }),
  success: { status: 200, schema: answered("AuthzenResources", Found) },
  handler: (ctx, { body: { page, ...asked } }) =>
    searchCandidates(ctx, { searched: "resource", asked, page }, entityOf(asked.resource)),
});

export const searchActions = defineOperation({
  ...common,
  description,
  id: "authzen.searchActions",
  path: "/access/v1/search/action",
  summary: "Find the actions that a subject may take on a resource now",
  body: z.object({ subject, resource, context, page }).meta({
    id: "AuthzenActionSearch",
    example: { subject: { type: "user", id: "edsger@acme.example" }, resource: { type: "document", id: "6" } },
  }),
  success: { status: 200, schema: answered("AuthzenActions", FoundAction) },
  handler: (ctx, { body: { page, ...asked } }) =>
    searchCandidates(ctx, { searched: "action", asked, page }, (name) => ({ name })),
});
