import { AnyObject } from "#kernel/records/generic-body.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { Action, Entity } from "../fields.js";

/** The most items of one access request. */
const MOST_ITEMS = 20;

const denial = z
  .object({
    evaluation_id: z.string().max(4_000).optional().meta({ description: "As `context.evaluation_id` of the denial." }),
    expires_at: Time.meta({ description: "As `expires_at` of its `access_request`." }),
  })
  .optional()
  .meta({ description: "Which denial it is about." });
const requested = z
  .object({ requested_until: Time.optional().meta({ description: "Until when access is wanted." }) })
  .optional()
  .meta({ description: "How much is asked for. Whoever approves decides how much is given." });

const Item = z.object({
  resource: Entity.meta({ description: "The resource that was denied." }),
  action: Action.meta({ description: "The action that was denied." }),
  requested_access: requested,
  denial,
});

export const Submission = z
  .object({
    subject: Entity.meta({ description: "The subject that was denied." }),
    resource: Item.shape.resource.optional(),
    action: Item.shape.action.optional(),
    items: z
      .array(Item)
      .min(1)
      .max(MOST_ITEMS)
      .optional()
      .meta({ description: "Several, in place of `resource` and `action`; each with the denial that it is about." }),
    context: AnyObject.optional().meta({
      description: "As it was in the evaluation; `business_justification` is shown to who approves.",
    }),
    denial,
    requested_access: requested,
    callback: AnyObject.optional().meta({ description: "Refused, since none is ever called." }),
    client: z
      .object({
        actor: z
          .looseObject({ id: z.string().max(500).meta({ description: "Id of the caller itself." }) })
          .optional()
          .meta({ description: "Who asks for the subject: the caller itself, and nobody further." }),
      })
      .optional()
      .meta({ description: "The program that asks." }),
  })
  .meta({
    id: "AuthzenAccessRequest",
    example: {
      subject: { type: "user", id: "alan@acme.example" },
      action: { name: "read" },
      resource: { type: "document", id: "9" },
      context: { business_justification: "The audit of this year asks for it." },
      denial: { evaluation_id: "dec_01JD3Z6T5W8Y9X7V4R2Q1P0N6M.…", expires_at: "2027-01-01T10:00:00.000Z" },
    },
  });
export type Submission = z.output<typeof Submission>;

export const TASK_STATUS = ["pending", "approved", "denied", "expired", "cancelled", "failed", "partial"] as const;
export type TaskStatus = (typeof TASK_STATUS)[number];
const status = z.enum(TASK_STATUS).meta({ description: "The state of it, as the profile names states." });

const Result = z.object({
  mode: z.literal("reevaluate").meta({ description: "Evaluate again, with the approval in `context.approval`." }),
  approval: z
    .object({
      id: z.string().meta({ description: "Id of the approval." }),
      approved_at: Time.meta({ description: "When it was approved." }),
      approved_until: Time.meta({ description: "When the approval ends at the latest." }),
    })
    .meta({ description: "The approval, which alone permits nothing." }),
});
export type Result = z.output<typeof Result>;

export const TaskAnswer = z
  .object({
    task: z
      .object({
        id: z.string().meta({ description: "Id of the task." }),
        status,
        status_endpoint: z.url().meta({ description: "Where its state is read." }),
        expires_at: Time.meta({ description: "When it can no longer be read." }),
        links: z
          .object({ cancel: z.url().meta({ description: "Where it is taken back." }) })
          .optional()
          .meta({ description: "What can be done about it." }),
        items: z
          .array(
            z.object({
              resource: z
                .object({
                  type: z.string().meta({ description: "Kind of the resource." }),
                  id: z.string().meta({ description: "Id of the resource, as it was sent." }),
                })
                .meta({ description: "The resource, without its properties." }),
              action: z
                .object({ name: z.string().meta({ description: "Name of the action." }) })
                .meta({ description: "The action, without its properties." }),
              status,
              result: Result.optional().meta({ description: "Of an item that was approved." }),
            }),
          )
          .optional()
          .meta({ description: "In the order of what was sent." }),
      })
      .meta({ description: "The state of what was asked for." }),
    result: Result.optional().meta({ description: "Of a single one that was approved." }),
  })
  .meta({ id: "AuthzenTask" });
export type TaskAnswer = z.output<typeof TaskAnswer>;
