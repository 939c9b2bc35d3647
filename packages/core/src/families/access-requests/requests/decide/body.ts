import { Duration } from "#kernel/records/duration.js";
import { AnyObject, Metadata } from "#kernel/records/generic-body.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

const reason = z.string().max(2_000).optional().meta({ description: "Why, for the audit trail." });
const metadata = Metadata.optional();
const expectedScopeHash = z
  .string()
  .max(100)
  .optional()
  .meta({ description: "`scopeHash` that was looked at. An approval names it." });

/** What an approver says. */
export const RequestApproval = z
  .strictObject({
    ...{ reason, metadata, expectedScopeHash },
    decision: z.enum(["approve", "comment", "request_info"]).optional().meta({
      description: "`approve` if absent. The others count for nothing; `request_info` asks whoever has asked.",
    }),
    grantedDuration: Duration.optional().meta({ description: "For a shorter time only." }),
    expiresAt: Time.optional().meta({ description: "Until an earlier end only." }),
    parameters: z.record(z.string().max(8), AnyObject).optional().meta({
      description: "Narrower parameters only, all of them, by key of the item.",
    }),
    exemptions: z
      .array(
        z.strictObject({
          rule: z.string().max(200).meta({ description: "`rule` of the conflict." }),
          reason: z.string().trim().min(10).max(2_000).meta({ description: "Why it is permitted." }),
          expiresAt: Time.meta({ description: "Until when. The access ends then at the latest." }),
        }),
      )
      .max(50)
      .optional()
      .meta({ description: "Conflicts that are permitted for a time. It takes `access-request:exempt`." }),
  })
  .meta({
    id: "AccessRequestApproval",
    example: { expectedScopeHash: "9f86d081884c7d65", reason: "The agent needs it for its task." },
  });
export type RequestApproval = z.output<typeof RequestApproval>;

export const RequestRejection = z
  .strictObject({ reason, metadata, expectedScopeHash })
  .meta({ id: "AccessRequestRejection", example: { reason: "It permits more than the task takes." } });

export const RequestCancellation = z
  .strictObject({
    ...{ reason, metadata },
    keepGranted: z.boolean().optional().meta({ description: "What was granted of it stays." }),
  })
  .meta({ id: "AccessRequestCancellation", example: { reason: "It is not needed any more." } });
export type RequestCancellation = z.output<typeof RequestCancellation>;
