import { defineCollection } from "#kernel/records/collection.js";
import { RelatedParty } from "#kernel/records/involved.js";
import { statesOf } from "#kernel/records/machine.js";
import { recordShape, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { factorResetStatus } from "./machine.js";

/** A request to remove all second factors of somebody who has lost them. */
export const FactorReset = z
  .object({
    ...recordShape(z.enum(statesOf(factorResetStatus))),
    userId: z.string().meta({ description: "Whose factors they are." }),
    reason: z.string().meta({ description: "The reason in words." }),
    requestedBy: z.string().meta({ description: "Id of who asked." }),
    decidedBy: z.string().nullable().meta({ description: "Id of who decided it." }),
    decidedAt: Time.nullable().meta({ description: "When it was decided." }),
    removed: z.int().min(0).meta({ description: "How many factors were removed." }),
    mail: z
      .enum(["none", "due", "sent"])
      .meta({ description: "Whether the person was told by mail; `none` where there is nothing to tell yet." }),
    relatedParty: RelatedParty,
  })
  .meta({ id: "SecondFactorReset" });
export type FactorReset = z.output<typeof FactorReset>;

/** Requests to remove second factors. None is ever removed. */
export const factorResets = defineCollection<FactorReset>({
  name: "second_factor_resets",
  prefix: "sfr",
  schema: FactorReset,
  resource: { type: "second_factor_reset", event: "second_factor_reset", path: "/api/v1/second-factor-resets" },
  related: ({ userId }) => [userId],
  machines: { status: factorResetStatus },
  fields: { status: { type: "text" }, userId: { type: "text" }, mail: { type: "text" }, decidedAt: { type: "time" } },
  indexes: [{ where: ["status"] }, { where: ["userId"] }, { where: ["mail"], by: "decidedAt", partial: true }],
  filters: { status: { values: statesOf(factorResetStatus) }, userId: {} },
});
