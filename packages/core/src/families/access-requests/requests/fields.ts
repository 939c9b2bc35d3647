import { Duration } from "#kernel/records/duration.js";
import { AnyObject } from "#kernel/records/generic-body.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

export const REQUEST_TYPES = ["grant", "extend", "modify", "adopt"] as const;

const Wanted = z.strictObject({
  accessProfileId: z.string().max(64).meta({ description: "The kind of access." }),
  resourceId: z
    .string()
    .max(64)
    .optional()
    .meta({ description: "To what; for a profile of one resource it is known." }),
  parameters: AnyObject.optional().meta({ description: "What narrows it, by the profile's `parametersSchema`." }),
});
export type Wanted = z.output<typeof Wanted>;

const Attachment = z.strictObject({
  url: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .meta({ description: "Where it is." }),
  label: z.string().trim().min(1).max(200).meta({ description: "What it is." }),
});

/** What somebody who asks for access says. */
export const RequestFields = z.object({
  connectorInstanceId: z.string().max(64).meta({ description: "The target; that of the assignment if absent." }),
  items: z.array(Wanted).min(1).max(20).meta({ description: "What is asked for, all of it together." }),
  identityId: z.string().max(64).meta({ description: "What the asset acts as there; its only identity if absent." }),
  type: z.enum(REQUEST_TYPES).meta({
    description: "New access if absent. `extend` and `modify` change an assignment, `adopt` takes over what is there.",
  }),
  assignmentId: z.string().max(64).meta({ description: "The assignment that `extend` or `modify` is about." }),
  duration: Duration.meta({ description: "How long, from when it is granted; as long as may be if absent." }),
  expiresAt: Time.meta({ description: "Until when; instead of `duration`." }),
  permanent: z.boolean().meta({ description: "Without an end, where the profiles permit that." }),
  notBefore: Time.meta({ description: "From when; within 90 days." }),
  emergency: z.boolean().meta({ description: "It cannot wait. People look at it afterwards." }),
  ticketRef: z.string().max(200).meta({ description: "Where it was discussed." }),
  attachments: z.array(Attachment).max(20).meta({ description: "What supports it." }),
  autoEvaluate: z.boolean().meta({ description: "Whether it is looked at at once, as usual." }),
  supersedesRequestId: z.string().max(64).meta({ description: "One's own request that this one takes the place of." }),
});
export type RequestFields = z.output<typeof RequestFields>;

export const ITEM_STATES = ["waiting", "provisioning", "provisioned", "failed", "declined", "ended"] as const;

export const STAGE_STATES = ["pending", "active", "approved", "rejected", "timed_out"] as const;

export const VOTES = ["approve", "reject", "comment", "request_info"] as const;

export const RESOLUTIONS = [
  ...["approved", "auto", "rejected", "denied", "conflict", "cancelled", "superseded", "asset_retired", "timed_out"],
  ...["expired", "not_requestable", "asset_denied"],
] as const;
