import { AnyObject } from "#kernel/records/generic-body.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

/** What a reviewer says of one item. */
export const ItemReview = z
  .strictObject({
    decision: z.enum(["certify", "revoke", "modify", "abstain", "delegate", "undo"]).meta({
      description: "`modify` narrows it, `delegate` hands it to somebody else, `undo` takes the decision back.",
    }),
    reason: z
      .string()
      .max(2_000)
      .optional()
      .meta({ description: "Why. Only to certify access of low risk takes none." }),
    expectedSnapshotVersion: z
      .int()
      .optional()
      .meta({ description: "`snapshotVersion` that was looked at. Every decision about the access names it." }),
    expiresAt: Time.optional().meta({
      description: "Until when it is certified; or the new end of the access, for `modify`.",
    }),
    accessProfileId: z.string().max(64).optional().meta({ description: "A lesser profile, for `modify`." }),
    parameters: AnyObject.optional().meta({ description: "Narrower parameters, all of them, for `modify`." }),
    delegateTo: z.string().max(64).optional().meta({ description: "Id of the user, for `delegate`." }),
  })
  .meta({
    id: "AccessItemReview",
    example: { decision: "certify", expectedSnapshotVersion: 1, reason: "It is used each day." },
  });
export type ItemReview = z.output<typeof ItemReview>;

/** Items that one certifies together. */
export const BulkCertification = z
  .strictObject({
    items: z
      .array(
        z.strictObject({
          id: z.string().max(64).meta({ description: "Id of the item." }),
          expectedSnapshotVersion: z.int().meta({ description: "What was looked at." }),
        }),
      )
      .min(1)
      .max(100)
      .meta({ description: "The items, each with the `snapshotVersion` that was looked at." }),
    reason: z.string().max(2_000).optional().meta({ description: "The reason in words." }),
  })
  .meta({
    id: "AccessBulkCertification",
    example: { items: [{ id: "citm_01JD3Z6T5W8Y9X7V4R2Q1P0N6M", expectedSnapshotVersion: 1 }], reason: "All in use." },
  });

/** Items that one revokes together. */
export const BulkRevocation = BulkCertification.extend({
  reason: z.string().min(1).max(2_000).meta({ description: "The reason in words, for each of them." }),
}).meta({
  id: "AccessBulkRevocation",
  example: {
    items: [{ id: "citm_01JD3Z6T5W8Y9X7V4R2Q1P0N7N", expectedSnapshotVersion: 1 }],
    reason: "Not used in a month.",
  },
});

const Refused = z
  .array(
    z.object({
      id: z.string().meta({ description: "Id of the item." }),
      because: z.array(z.string()).meta({ description: "The reasons, one a line." }),
    }),
  )
  .meta({ description: "Items that are to be looked at one by one, and why." });

export const BulkResult = z
  .object({
    certified: z.array(z.string()).meta({ description: "Ids of items that were certified." }),
    refused: Refused,
  })
  .meta({ id: "AccessBulkResult" });

export const BulkRevocationResult = z
  .object({
    revoked: z.array(z.string()).meta({ description: "Ids of items whose access is to end." }),
    refused: Refused,
  })
  .meta({ id: "AccessBulkRevocationResult" });
